import { maskedMark } from './mask-text';

/** Fields whose values say what a step does, not what an event holds. */
const openFields = new Set(['operation', 'object_type', 'entity', 'action', 'method', 'created', 'updated', 'skipped']);
/** Bounds for hostile payloads. */
const [mostLeaves, mostDepth] = [5_000, 32];

/** The same shape, with the type of each value in its place. */
export function maskValues(value: unknown, name = '', depth = 0): unknown {
  if (openFields.has(name) && (typeof value === 'string' || typeof value === 'boolean')) return value;
  if (value === null || value === undefined) return null;
  if (depth >= mostDepth) return maskedMark;
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => maskValues(item, '', depth + 1));
  if (typeof value !== 'object') return `(${typeof value})`;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskValues(inner, key, depth + 1)]));
}

/** Takes the values of an event out of texts about it. Short ones would match everywhere. */
export function maskValuesOf(event: unknown): (text: string) => string {
  const values = new Set<string>();
  collect(event, values, 0);
  const all = [...values].sort((one, other) => other.length - one.length);
  return (text) => all.reduce((rest, value) => (rest.includes(value) ? rest.replaceAll(value, maskedMark) : rest), text);
}

function collect(value: unknown, values: Set<string>, depth: number): void {
  if (values.size >= mostLeaves || depth >= mostDepth || value === null || value === undefined) return;
  if (typeof value === 'object') for (const inner of Object.values(value)) collect(inner, values, depth + 1);
  else if (typeof value !== 'boolean' && String(value).length >= 3) values.add(String(value));
}
