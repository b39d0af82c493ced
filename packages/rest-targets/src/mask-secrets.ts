/** The text that replaces a secret. */
const mask = '***';
/** A shorter text is not masked: it would match everywhere. */
const leastLength = 4;

/** A value with all secrets in its texts and keys masked, because destinations repeat what they received. */
export function maskSecrets<T>(value: T, secrets: readonly string[]): T {
  const sought = secrets.filter((secret) => secret.length >= leastLength);
  return sought.length === 0 ? value : (masked(value, sought) as T);
}

function masked(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return secrets.reduce((text, secret) => text.replaceAll(secret, mask), value);
  if (Array.isArray(value)) return value.map((item) => masked(item, secrets));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, inner]) => [masked(key, secrets), masked(inner, secrets)] as const);
  return Object.fromEntries(entries);
}
