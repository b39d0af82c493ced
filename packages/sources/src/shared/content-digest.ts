import { createHash, type Hash } from 'node:crypto';

/** A digest of a JSON value. The order of the fields of an object does not count. */
export function contentDigest(value: unknown): string {
  const hash = createHash('sha256');
  add(hash, value);
  return hash.digest('base64url').slice(0, 22);
}

/** What is nested deeper is compared as it is written. */
const maxDepth = 200;

function add(hash: Hash, value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return void hash.update(JSON.stringify(value) ?? '');
  if (Array.isArray(value)) {
    hash.update('[');
    for (const one of value as unknown[]) {
      add(hash, one, depth + 1);
      hash.update(',');
    }
    return void hash.update(']');
  }
  hash.update('{');
  for (const name of Object.keys(value).sort()) {
    hash.update(`${JSON.stringify(name)}:`);
    add(hash, (value as Record<string, unknown>)[name], depth + 1);
    hash.update(',');
  }
  hash.update('}');
}
