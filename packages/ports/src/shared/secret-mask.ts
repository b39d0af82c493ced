/** The text that replaces a secret. */
const masked = '***';

/** Shorter texts are not masked: they stand in many texts by chance, and a mask would take these apart (docs/adr/0270). */
const shortest = 4;
/** Characters of a secret inside of other base64 that are masked at least; fewer stand in many texts by chance. */
const shortestPart = 6;

/**
 * Masks secrets in texts by their value, because a destination may repeat in an answer what it was sent. Also masks the forms in
 * which a secret may stand there: percent-encoded, as a JSON text (also inside of another one), in hexadecimal, and in base64 and
 * base64url, alone or as a part of something longer such as `Authorization: Basic`.
 */
export function secretMask(secrets: Iterable<string>): (text: string) => string {
  const all = secretForms(secrets);
  if (all.length === 0) return (text) => text;
  const leastLength = all.at(-1)!.length;
  return (text) => {
    if (text.length < leastLength) return text;
    let rest = text;
    for (const value of all) if (rest.includes(value)) rest = rest.replaceAll(value, masked);
    return rest;
  };
}

/** The texts that a mask of these secrets replaces, the longest first: one may hold another. */
export function secretForms(secrets: Iterable<string>): string[] {
  const values = new Set<string>();
  for (const secret of secrets) if (secret.length >= shortest) for (const form of formsOf(secret)) values.add(form);
  return [...values].sort((one, other) => other.length - one.length);
}

/** The same value with the mask over all its texts and keys. */
export function maskTexts<T>(value: T, mask: (text: string) => string): T {
  return inner(value, mask) as T;
}

function inner(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  // A secret of digits may be repeated as a number.
  if (typeof value === 'number' && mask(String(value)) === masked) return masked;
  if (Array.isArray(value)) return value.map((item) => inner(item, mask));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), inner(item, mask)]));
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  return [secret, ...percentForms(secret), ...jsonForms(secret), hex, hex.toUpperCase(), ...base64Forms(bytes)];
}

/** As in a path or a query, as in a form, and with small hexadecimal digits. */
function percentForms(secret: string): string[] {
  // Half a character, which cannot be encoded, is sent as the replacement character.
  const encoded = encodeURIComponent(Buffer.from(secret, 'utf8').toString('utf8'));
  const form = new URLSearchParams({ '': secret }).toString().slice(1);
  return [encoded, form].flatMap((text) => [text, text.replaceAll(/%[0-9A-F]{2}/g, (digits) => digits.toLowerCase())]);
}

/** As writers of JSON escape a text: as little as they may, also slashes, and everything that is not ASCII. */
function jsonForms(secret: string): string[] {
  const plain = jsonText(secret);
  const codes = (text: string, digits: (code: string) => string): string =>
    text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${digits(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
  const ascii = [plain, codes(plain, (code) => code), codes(plain, (code) => code.toUpperCase())];
  const all = ascii.flatMap((text) => [text, text.replaceAll('/', '\\/')]);
  return [...all, ...all.map(jsonText)];
}

const jsonText = (text: string): string => JSON.stringify(text).slice(1, -1);

/**
 * Alone, as the user name of Basic authentication, and the part that a secret has in base64 of something longer: which characters
 * it gives depends on how many bytes stand before it, modulo three.
 */
function base64Forms(bytes: Buffer): string[] {
  const whole = [bytes, Buffer.concat([bytes, Buffer.from(':')])].map((one) => one.toString('base64'));
  const parts = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64').replaceAll('=', '');
    // The first characters hold bits of what stands before, the last one of what follows.
    const end = (before + bytes.length) % 3 === 0 ? text.length : text.length - 1;
    return text.slice([0, 2, 3][before], end);
  });
  const unpadded = whole.map((text) => text.replaceAll('=', ''));
  const all = [...whole, ...unpadded, ...parts.filter(({ length }) => length >= shortestPart)];
  return all.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}
