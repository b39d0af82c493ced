import type { ValidationEntry } from '@sluice/contracts';

/** One entry of a 422 answer; `loc` starts with `body` and ends with the field. */
export type Problem = ValidationEntry;

export type Loc = readonly (string | number)[];

/** Builds a problem at a place of the document (`loc` without `body`). */
export function problem(type: string, loc: Loc, msg: string, input: unknown = null): Problem {
  return { type, loc: ['body', ...loc], msg, input };
}

/** The value at a place; null when there is none. */
export function valueAt(root: unknown, loc: Loc): unknown {
  let value = root;
  for (const key of loc) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return null;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}
