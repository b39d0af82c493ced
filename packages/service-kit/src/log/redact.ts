const secretName =
  /authorization|password|passwd|passphrase|secret|cookie|apikey|rawkey|privatekey|clientassertion|signature$|csrf|token$/;
const maxDepth = 8;
const maxItems = 100;

export const redactedMark = '[redacted]';

/** Whether a field of this name may hold a secret, however it is written (`x-api-key`, `refresh_token`, `clientSecret`). */
export function isSecretName(name: string): boolean {
  return secretName.test(name.toLowerCase().replace(/[^a-z]/g, ''));
}

/**
 * A copy that may be logged: values under secret-looking names are replaced, errors become plain objects, what cannot
 * be JSON becomes text, and very deep or long values are cut. Numbers and booleans stay: `has_secret: true` tells nothing.
 */
export function redact(value: unknown): unknown {
  return copy(value, 0, new Set());
}

function copy(value: unknown, depth: number, above: Set<object>): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return String(value.toString()).slice(0, 80);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
  if (above.has(value)) return '[circular]';
  if (depth >= maxDepth) return '[deeper]';
  above.add(value);
  const result = copyObject(value, depth, above);
  above.delete(value);
  return result;
}

function copyObject(value: object, depth: number, above: Set<object>): unknown {
  if (Array.isArray(value)) {
    const items = value.slice(0, maxItems).map((item) => copy(item, depth + 1, above));
    return value.length > maxItems ? [...items, `[${value.length - maxItems} more]`] : items;
  }
  const entries =
    value instanceof Error ? errorEntries(value) : Object.entries(value instanceof Map ? Object.fromEntries(value) : value);
  return Object.fromEntries(
    entries.map(([name, item]) => [name, isHidden(name, item) ? redactedMark : copy(item, depth + 1, above)]),
  );
}

function isHidden(name: string, item: unknown): boolean {
  return item !== null && (typeof item === 'string' || typeof item === 'object') && isSecretName(name);
}

function errorEntries(error: Error): [string, unknown][] {
  const own = Object.entries(error).filter(([name]) => name !== 'stack');
  const cause: [string, unknown][] = error.cause === undefined ? [] : [['cause', error.cause]];
  return [['name', error.name], ['message', error.message], ...own, ...cause, ['stack', error.stack]];
}
