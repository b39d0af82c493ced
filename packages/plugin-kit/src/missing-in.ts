import { isDeepStrictEqual } from 'node:util';

/**
 * What of an expected value is not in another: objects may have more keys than expected, lists have the same length. Each entry
 * names the place.
 */
export function missingIn(value: unknown, expected: unknown, place: string): string[] {
  if (isObject(expected) && isObject(value))
    return Object.entries(expected).flatMap(([key, inner]) => missingIn(value[key], inner, `${place}.${key}`));
  if (Array.isArray(expected) && Array.isArray(value) && expected.length === value.length)
    return expected.flatMap((inner, index) => missingIn(value[index], inner, `${place}[${index}]`));
  if (isDeepStrictEqual(value, expected)) return [];
  return [`${place} is ${JSON.stringify(value) ?? 'not there'}, not ${JSON.stringify(expected)}`];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
