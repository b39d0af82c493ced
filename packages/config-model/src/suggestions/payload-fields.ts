import { compileReference, eventContext, ExpressionError } from '@sluice/flow-engine';

/** One field as found in the payloads. */
export interface PayloadField {
  /** For example `$.payload.customer.email`. */
  source: string;
  /** The keys that lead to it. */
  keys: string[];
  /** Payloads that have it. */
  seen: number;
  /** The first of its values. */
  values: (string | number | boolean)[];
}

/** Bounds for hostile payloads. */
const longest = { fields: 200, depth: 4, values: 20, text: 200 };

/** The plain values of payloads, as a mapping of an entity can name them; those most often seen first. */
export function payloadFields(payloads: readonly unknown[], payloadRoot: string | undefined): PayloadField[] {
  const found = new Map<string, PayloadField>();
  for (const payload of payloads) collect(rooted(payload, payloadRoot), '$.payload', [], found);
  return [...found.values()].sort((a, b) => b.seen - a.seen);
}

/** The payload below the entity's `payload_root`. A root that costs too much gives nothing. */
function rooted(payload: unknown, root: string | undefined): unknown {
  if (root === undefined) return payload;
  try {
    const value = compileReference(root).first(eventContext({ payload, event_type: '', connector_id: '' }));
    return Array.isArray(value) ? value[0] : value;
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

function collect(value: unknown, source: string, keys: string[], found: Map<string, PayloadField>): void {
  if (value === null || value === undefined || Array.isArray(value)) return;
  if (typeof value === 'object') {
    if (keys.length === longest.depth) return;
    for (const [key, inner] of Object.entries(value).slice(0, longest.fields)) {
      const path = memberOf(source, key);
      if (path !== null) collect(inner, path, [...keys, key], found);
    }
    return;
  }
  if (keys.length === 0) return;
  const field = found.get(source) ?? { source, keys, seen: 0, values: [] };
  if (field.seen === 0 && found.size === longest.fields) return;
  found.set(source, field);
  field.seen += 1;
  const short = typeof value === 'string' ? value.slice(0, longest.text) : (value as number | boolean);
  if (field.values.length < longest.values) field.values.push(short);
}

/** A member as a reference names it; null for a key that none can name. */
function memberOf(source: string, key: string): string | null {
  if (/^[A-Za-z_]\w*$/.test(key)) return `${source}.${key}`;
  return /^[^'"\\\p{Cc}]{1,100}$/u.test(key) ? `${source}['${key}']` : null;
}
