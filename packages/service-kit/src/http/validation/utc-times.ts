import { type JsonSchema, utcTime } from '@sluice/contracts';

/** Writes the times of a checked value as UTC, in place. */
export type TimeWriter = (value: unknown) => void;

interface Schema {
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}

/**
 * Writes every time (`format: date-time`) of the fields and items that a schema lists as UTC with milliseconds: a handler
 * that makes a `Date` of a time without a zone would read it in the zone of the machine.
 */
export function timeWriter(schema: JsonSchema | undefined): TimeWriter {
  return writerOf((schema ?? {}) as Schema) ?? (() => undefined);
}

/** null: nothing in it is a time. */
function writerOf({ properties = {}, items }: Schema): TimeWriter | null {
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const write = schema.format === 'date-time' ? writeField(name) : inField(name, writerOf(schema));
    return write === null ? [] : [write];
  });
  const inner = items === undefined ? null : items.format === 'date-time' ? null : writerOf(items);
  if (inner !== null) fields.push((list) => Array.isArray(list) && (list as unknown[]).forEach(inner));
  return fields.length === 0 ? null : (value) => fields.forEach((write) => write(value));
}

const writeField = (name: string): TimeWriter => (value) => {
  if (!isObject(value) || typeof value[name] !== 'string') return;
  value[name] = utcTime(value[name]) ?? value[name];
};

const inField = (name: string, write: TimeWriter | null): TimeWriter | null =>
  write === null ? null : (value) => {
    if (isObject(value) && Object.hasOwn(value, name)) write(value[name]);
  };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
