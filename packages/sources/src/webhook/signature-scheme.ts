import type { CallHeaders } from '../source-runtime';
import type { WebhookConfig } from './webhook-config';

/** What the headers of a call claim, before anything is compared. */
export interface SignatureClaim {
  /** HMACs of 32 bytes, of which one must be right. */
  signatures: Buffer[];
  /** What is signed in front of the body. */
  prefix: string;
  /** Milliseconds since the epoch; null: the signature holds at any time. */
  time: number | null;
  /** A repetition of the same call has the same value, within the tolerance of its time; null: nothing says so. */
  repeat: string | null;
}

/** Reads what the headers claim; null when they are not of this form. */
export type ReadClaim = (headers: CallHeaders) => SignatureClaim | null;

/** One form of signatures (docs/reference/sources.md, Webhooks). */
interface SignatureScheme {
  /** Header of the signature where the config names none. */
  header: string;
  compile(config: WebhookConfig, header: string): ReadClaim;
  /** The keys that a secret may mean. */
  keys(secret: string): Buffer[];
}

/** Signatures of one header that are compared at most. */
const maxSignatures = 10;
const macBytes = 32;
/** A decoded key of fewer bytes can be guessed. */
const leastKeyBytes = 12;

const schemes: Readonly<Record<NonNullable<WebhookConfig['signature_scheme']>, SignatureScheme>> = {
  plain: { header: 'X-Signature', compile: plainClaim, keys: textKey },
  github: { header: 'X-Hub-Signature-256', compile: githubClaim, keys: textKey },
  stripe: { header: 'Stripe-Signature', compile: stripeClaim, keys: textKey },
  svix: { header: 'svix-signature', compile: svixClaim, keys: svixKeys },
};

/** The scheme of a config: how claims are read, and which keys a secret means. */
export function signatureScheme(config: WebhookConfig): { readClaim: ReadClaim; keys(secret: string): Buffer[] } {
  const scheme = schemes[config.signature_scheme ?? 'plain'];
  const header = (config.signature_header ?? scheme.header).toLowerCase();
  return { readClaim: scheme.compile(config, header), keys: (secret) => scheme.keys(secret) };
}

function textKey(secret: string): Buffer[] {
  return [Buffer.from(secret)];
}

/**
 * Libraries of this scheme decode the secret; senders with an implementation of their own often use its text. Of a secret that is
 * no base64 decoding may leave a few bytes or none: that is no key, because anybody can sign with an empty one.
 */
function svixKeys(secret: string): Buffer[] {
  const decoded = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return decoded.length < leastKeyBytes ? [Buffer.from(secret)] : [decoded, Buffer.from(secret)];
}

/** HMAC of the body, or of `<time>.<body>`; hexadecimal or base64, with or without `sha256=` in front. */
function plainClaim(config: WebhookConfig, header: string): ReadClaim {
  const timeHeader = config.signature_timestamp_header?.toLowerCase();
  return (headers) => {
    const signature = macOf(textOf(headers, header));
    if (signature === null) return null;
    if (timeHeader === undefined) return { signatures: [signature], prefix: '', time: null, repeat: null };
    const timeText = textOf(headers, timeHeader);
    return timed([signature], timeText, `${timeText}.`, signature.toString('base64'));
  };
}

function githubClaim(_config: WebhookConfig, header: string): ReadClaim {
  return (headers) => {
    const text = textOf(headers, header);
    const signature = text.startsWith('sha256=') ? macOf(text) : null;
    return signature && { signatures: [signature], prefix: '', time: null, repeat: null };
  };
}

/** `t=<time>,v1=<hex>[,v1=<hex>]` over `<time>.<body>`; while a secret is replaced the sender signs with both. */
function stripeClaim(_config: WebhookConfig, header: string): ReadClaim {
  return (headers) => {
    const parts = textOf(headers, header).split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
    const timeText = parts.find(([name]) => name === 't')?.[1] ?? '';
    const signatures = macs(parts.filter(([name]) => name === 'v1').map(([, text = '']) => text));
    return timed(signatures, timeText, `${timeText}.`, signatures[0]?.toString('base64') ?? null);
  };
}

/**
 * `v1,<base64>`, several separated by blanks, over `<id>.<time>.<body>`. A message that is sent again has the same id, with a
 * new time. Without a header of its own in the config the names of the Standard Webhooks are read too.
 */
function svixClaim(config: WebhookConfig, header: string): ReadClaim {
  const prefixes = config.signature_header === undefined
    ? ['svix-', 'webhook-']
    : [header.endsWith('-signature') ? header.slice(0, -'signature'.length) : 'svix-'];
  return (headers) => {
    const prefix = prefixes.find((one) => textOf(headers, `${one}id`) !== '');
    if (prefix === undefined) return null;
    const id = textOf(headers, `${prefix}id`);
    const timeText = textOf(headers, config.signature_timestamp_header?.toLowerCase() ?? `${prefix}timestamp`);
    const given = textOf(headers, config.signature_header === undefined ? `${prefix}signature` : header).split(' ');
    const signatures = macs(given.filter((one) => one.startsWith('v1,')).map((one) => one.slice('v1,'.length)));
    return timed(signatures, timeText, `${id}.${timeText}.`, id);
  };
}

function timed(signatures: Buffer[], timeText: string, prefix: string, repeat: string | null): SignatureClaim | null {
  const time = signedTime(timeText);
  return time === null || signatures.length === 0 ? null : { signatures, prefix, time, repeat };
}

/** Seconds since the epoch reach this number in the year 5138, milliseconds did in 1973. */
const leastMilliseconds = 1e11;

function signedTime(text: string): number | null {
  if (!/^\d{1,15}$/.test(text)) return null;
  const value = Number(text);
  return value >= leastMilliseconds ? value : value * 1_000;
}

const macs = (texts: readonly string[]): Buffer[] => texts.slice(0, maxSignatures).flatMap((text) => macOf(text) ?? []);

/** The bytes of an HMAC-SHA256, however it is written; null when it is none. */
function macOf(text: string): Buffer | null {
  const plain = text.replace(/^sha256=/i, '');
  if (/^[0-9a-f]{64}$/i.test(plain)) return Buffer.from(plain, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(plain)) return null;
  const bytes = Buffer.from(plain, 'base64');
  return bytes.length === macBytes ? bytes : null;
}

/** Empty where it is missing. A header that is given twice is no text of any scheme. */
function textOf(headers: CallHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : '';
}
