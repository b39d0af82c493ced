import type { AnySource } from './define-source';
import type { Holds, SourceFieldSchema } from './field-schema';

/** A value of a config with what its field holds. `path` leads to it from the config. */
export interface HeldValue {
  holds: Holds;
  path: readonly (string | number)[];
  value: unknown;
}

/** Every value of a config whose field holds something, fields inside of fields too. */
export function* heldValues({ configSchema }: AnySource, config: Readonly<Record<string, unknown>>): Generator<HeldValue> {
  yield* inside(configSchema, config, []);
}

function* inside(schema: SourceFieldSchema, value: unknown, path: readonly (string | number)[]): Generator<HeldValue> {
  if (value === null || value === undefined) return;
  const holds = schema['x-holds'];
  if (holds) yield { holds, path, value };
  if (schema.items && Array.isArray(value))
    for (const [index, item] of (value as unknown[]).entries()) yield* inside(schema.items, item, [...path, index]);
  if (!schema.properties || typeof value !== 'object' || Array.isArray(value)) return;
  for (const [field, inner] of Object.entries(schema.properties)) {
    if (Object.hasOwn(value, field)) yield* inside(inner, (value as Record<string, unknown>)[field], [...path, field]);
  }
}
