import type { SeededRandom } from '@sluice/seeded-random';

/** The words of JSON Schema that are read here. */
interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minItems?: number;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

const texts = [
  '', ' ', '0', '-1', 'null', 'true', '\0', 'a\0b', '\ud800', '\u202e', 'ß', '💥', '__proto__', 'constructor', 'prototype',
  '..',
  '../../etc/passwd', '/', '%00', '%', "' OR 1=1 --", '${7*7}', '{{7*7}}', '<script>', '$.payload', '$..*', 'x'.repeat(300),
  'x'.repeat(5_000), '2026-02-30T00:00:00Z', '0000-00-00T00:00:00Z', '+275760-09-13T00:00:00.000Z', '1e999', '\r\nX-Evil: 1',
];

export const hostileText = (random: SeededRandom): string => random.pick(texts);

const deep = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => ({ a: [inner] }), 1);

function hostileValue(random: SeededRandom): unknown {
  return random.pick<() => unknown>([
    () => hostileText(random),
    () => null,
    () => true,
    () => -1,
    () => 0.5,
    () => 1e308,
    () => Number.MAX_SAFE_INTEGER,
    () => [],
    () => ({}),
    () => [null],
    () => deep(150),
    () => JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":1}}') as unknown,
    () => Array.from({ length: 600 }, () => ({})),
  ])();
}

/** A value that mostly fits a JSON schema, and sometimes does not. */
export function valueFor(given: object | boolean | undefined, random: SeededRandom, depth = 0): unknown {
  if (typeof given !== 'object' || random.chance(0.06)) return hostileValue(random);
  const schema = given as Schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return valueFor({ ...schema, anyOf: undefined, oneOf: undefined, ...random.pick(branches) }, random, depth);
  if (schema.default !== undefined && random.chance(0.1)) return schema.default;
  switch (Array.isArray(schema.type) ? random.pick(schema.type) : schema.type) {
    case 'object': return objectFor(schema, random, depth);
    case 'array': return listFor(schema, random, depth);
    case 'string': return textFor(schema, random);
    case 'integer': case 'number': return numberFor(schema, random);
    case 'boolean': return random.chance(0.5);
    case 'null': return null;
    default: return schema.properties ? objectFor(schema, random, depth) : hostileValue(random);
  }
}

function listFor({ items, minItems = 0 }: Schema, random: SeededRandom, depth: number): unknown[] {
  const length = depth > 6 ? 0 : random.between(minItems, minItems + 3);
  return Array.from({ length }, () => valueFor(items, random, depth + 1));
}

function objectFor(schema: Schema, random: SeededRandom, depth: number): Record<string, unknown> {
  const { properties = {}, required = [], additionalProperties: more = true } = schema;
  const part = (name: string): number => (required.includes(name) ? 0.96 : depth > 6 ? 0.05 : 0.4);
  const entries = Object.entries(properties).filter(([name]) => random.chance(part(name)));
  const value = Object.fromEntries(entries.map(([name, property]) => [name, valueFor(property, random, depth + 1)]));
  if (!random.chance(more === false ? 0.05 : 0.3)) return value;
  const name = random.pick(['a', 'note', hostileText(random)]);
  return { ...value, [name]: valueFor(more === false ? undefined : more, random, depth + 1) };
}

function textFor({ format, pattern, minLength = 0, maxLength = 5_000 }: Schema, random: SeededRandom): string {
  if (random.chance(0.15)) return hostileText(random);
  if (random.chance(0.05)) return 'y'.repeat(maxLength + 1);
  if (format === 'date-time') return new Date(random.between(0, 4_000_000_000) * 1_000).toISOString();
  if (format === 'email') return `fuzz${random.between(0, 1_000_000)}@fuzz.example`;
  if (format === 'uri') return 'http://127.0.0.1:1/';
  if (typeof pattern === 'string' && pattern.includes('[0-9a-f]{8}')) return '00000000-0000-4000-8000-000000000000';
  return random.pick(['name', 'contacts', 'event_api', '$.payload.email', 'x']).padEnd(minLength, 'z').slice(0, maxLength);
}

function numberFor({ type, minimum = 0, maximum = 1_000 }: Schema, random: SeededRandom): number {
  if (random.chance(0.2)) return random.pick([minimum - 1, maximum + 1, minimum, maximum, 0, -1, 1e308]);
  const number = random.between(minimum, Math.min(maximum, minimum + 1_000));
  return type === 'number' && random.chance(0.3) ? number + 0.5 : number;
}
