import type { ConfigProblemType, ValidationEntry } from '@sluice/contracts';

/** One entry of a 422 answer; `loc` starts with `body` and ends with the field. */
export type Problem = Omit<ValidationEntry, 'type'> & { type: ConfigProblemType };

export type Loc = readonly (string | number)[];

/** Characters of a message, of a name in `loc`, and of a text in `input`; values of `input`. What is longer is cut. */
const longest = { message: 1_000, name: 200, text: 1_000, values: 200 };

/** Builds a problem at a path of the document (`loc` without `body`), with bounded texts. */
export function problem(type: ConfigProblemType, loc: Loc, msg: string, input: unknown = null): Problem {
  const place = loc.map((part) => (typeof part === 'string' ? cut(part, longest.name) : part));
  return { type, loc: ['body', ...place], msg: cut(msg, longest.message), input: echo(input) };
}

/** A text of at most `length` characters. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** The given value if it is small; a long text is cut, a large object or list is only named. */
function echo(input: unknown): unknown {
  if (typeof input === 'string') return cut(input, longest.text);
  if (input === null || typeof input !== 'object') return input;
  if (isSmall(input)) return input;
  return Array.isArray(input) ? `[list of ${input.length}]` : '[large object]';
}

/** Whether a value has few values and little text; stops looking when it has not. */
function isSmall(input: object): boolean {
  const open: unknown[] = [input];
  let [values, text] = [0, 0];
  while (open.length > 0) {
    const value = open.pop();
    values += 1;
    if (typeof value === 'string') text += value.length;
    else if (value !== null && typeof value === 'object') {
      for (const name in value) {
        text += name.length;
        open.push((value as Record<string, unknown>)[name]);
        if (values + open.length > longest.values || text > longest.text) return false;
      }
    }
    if (text > longest.text) return false;
  }
  return true;
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
