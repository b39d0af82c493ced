/** The text that replaces a secret. */
const masked = '***';

/** Shorter texts are not masked: they would match in every text. */
const shortest = 4;

/**
 * Masks secrets in texts by their value, because a destination may echo its own credential in an answer. Also masks the forms in
 * which a secret is sent: percent-encoded, and base64 as in `Authorization: Basic`.
 */
export function secretMask(secrets: Iterable<string>): (text: string) => string {
  const values = new Set<string>();
  for (const secret of secrets) for (const form of formsOf(secret)) if (form.length >= shortest) values.add(form);
  if (values.size === 0) return (text) => text;
  // The longest first: one may hold another.
  const all = [...values].sort((one, other) => other.length - one.length);
  const leastLength = all.at(-1)!.length;
  return (text) => {
    if (text.length < leastLength) return text;
    let rest = text;
    for (const value of all) if (rest.includes(value)) rest = rest.replaceAll(value, masked);
    return rest;
  };
}

function formsOf(secret: string): string[] {
  const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
  return [secret, encodeURIComponent(secret), base64(`${secret}:`), base64(secret)];
}
