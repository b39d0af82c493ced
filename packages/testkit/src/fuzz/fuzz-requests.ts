import type { Operation } from './operations';
import { createSeededRandom, type SeededRandom } from '@sluice/seeded-random';
import { hostileText, valueFor } from './value-for';

export interface FuzzRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/**
 * Requests for an operation: most nearly fit its schemas, some are broken on purpose. The same seed makes the same ones.
 * @param known values of path parameters that exist, by name
 */
export function fuzzRequests(
  operation: Operation,
  seed: number,
  count: number,
  known: Readonly<Record<string, string>>,
): FuzzRequest[] {
  const random = createSeededRandom(seed);
  return Array.from({ length: count }, () => ({
    method: operation.method,
    url: pathOf(operation, random, known) + queryOf(operation, random),
    ...bodyOf(operation, random),
  }));
}

function pathOf({ path }: Operation, random: SeededRandom, known: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const text = random.chance(0.8)
      ? (known[name] ?? '00000000-0000-4000-8000-000000000000')
      : random.pick(['0', 'nonsense', hostileText(random)]);
    return random.chance(0.02) ? '%zz' : encoded(text) || 'x';
  });
}

function queryOf({ parameters }: Operation, random: SeededRandom): string {
  const given = parameters.filter((one) => one.in === 'query' && random.chance(one.required ? 0.95 : 0.5));
  const pairs = given.map(({ name, schema }) => `${encoded(name)}=${encoded(textOf(valueFor(schema, random)))}`);
  if (random.chance(0.1)) pairs.push(`${encoded(hostileText(random))}=1`);
  if (pairs.length > 0 && random.chance(0.05)) pairs.push(pairs[0] as string);
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

function bodyOf({ body }: Operation, random: SeededRandom): Pick<FuzzRequest, 'headers' | 'body'> {
  if (body === undefined) return { headers: {}, body: undefined };
  const headers = { 'content-type': 'application/json' };
  const text = JSON.stringify(valueFor(body, random)) ?? '';
  if (random.chance(0.85)) return { headers, body: text };
  return random.pick([
    { headers, body: '' },
    { headers, body: text.slice(0, -1) },
    { headers, body: `\uFEFF${text}` },
    { headers, body: '[['.repeat(300) },
    { headers: { 'content-type': 'text/plain' }, body: text },
    { headers: { ...headers, 'content-encoding': random.pick(['gzip', 'br', 'constructor', 'gzip, gzip']) }, body: text },
  ]);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
/** A lone surrogate has no form in a URL. */
const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/g, ''));
