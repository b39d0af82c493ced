/** Stands in the place of a value that may be a secret. */
export const maskedValue = '[masked]';

type Json = unknown;
type Fields = Record<string, Json>;
const isObject = (value: Json): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Headers that say what a message is, not who sends it. */
const openHeaders = new Set([
  'accept', 'accept-charset', 'accept-encoding', 'accept-language', 'cache-control', 'content-encoding', 'content-language',
  'content-type', 'if-match', 'if-none-match', 'prefer', 'user-agent', 'x-request-id', 'idempotency-key',
]);
const secretName = /authorization|password|passwd|passphrase|secret|cookie|apikey|accesskey|privatekey|credentials?$|token$|signature$/;
/** Names of references: what they hold is the name of a secret, or where a value is found. */
const nameOfName = /(name|path|header|scheme|strategy)s?$|^verifysignature$/;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');
const isSecretName = (name: string): boolean => secretName.test(plain(name)) && !nameOfName.test(plain(name));
/** A reference to a value of the event or of an earlier step is no secret. */
const isReference = (text: string): boolean => /^\$[\w.]|^\{\$[^{}]*\}$/.test(text);

/**
 * A config document without values that may be secrets: literal headers, values under secret-looking names, and user and
 * secret-looking parameters of URLs. References stay.
 */
export function maskConfig(config: Json): Json {
  return masked(config, '');
}

/** A value that a plugin stored, without what may be a secret by its key or by the names in it. */
export const maskStored = (key: string, value: Json): Json => masked(value, key);

function masked(value: Json, name: string): Json {
  if (typeof value === 'string') return isSecretName(name) && !isReference(value) ? maskedValue : withoutSecretParts(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, name));
  if (!isObject(value)) return value;
  if (isHeaderMap(name)) return maskedHeaders(value);
  const holdsSecret = isSecretName(name);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner, holdsSecret ? name : key)]));
}

/** `headers`, `default_headers`; `secret_headers` hold names of credentials. */
const isHeaderMap = (name: string): boolean => plain(name).endsWith('headers') && plain(name) !== 'secretheaders';

function maskedHeaders(headers: Fields): Fields {
  const open = (name: string, value: Json): boolean =>
    openHeaders.has(name.toLowerCase()) || (typeof value === 'string' && isReference(value));
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, open(name, value) ? value : maskedValue]));
}

function withoutSecretParts(text: string): string {
  if (!/^[a-z][a-z+.-]*:\/\//i.test(text)) return text;
  return text
    .replace(/^([a-z][a-z+.-]*:\/\/)[^/?#@]*@/i, `$1${maskedValue}@`)
    .replaceAll(/([?&])([^=&#]+)=([^&#]*)/g, (whole, before: string, name: string, value: string) =>
      isSecretParameter(name) && !isReference(value) ? `${before}${name}=${maskedValue}` : whole);
}

const isSecretParameter = (name: string): boolean => isSecretName(name) || ['key', 'sig', 'code', 'auth'].includes(plain(name));
