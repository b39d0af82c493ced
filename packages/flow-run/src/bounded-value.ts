/** How much of a value a trace keeps. */
export interface ValueBounds {
  /** Characters of all texts and names together; numbers and the like count ten. */
  characters: number;
  text: number;
  /** Elements of one list, fields of one object. */
  entries: number;
  depth: number;
}

/** @param characters of a whole value */
export const boundsOf = (characters: number): ValueBounds => ({ characters, text: 1_000, entries: 50, depth: 8 });

const plainCost = 10;

/**
 * A copy of a JSON value that is no larger than its bounds. What is left out is named where it was: a text ends with
 * `… (+N characters)`, a list with `… (+N items)`, an object with a field `…`. Every text passes `mask` before it is cut.
 */
export function boundedValue(value: unknown, bounds: ValueBounds, mask: (text: string) => string): unknown {
  let left = bounds.characters;

  const spend = (characters: number): boolean => {
    left -= characters;
    return left >= 0;
  };
  const text = (whole: string): string => {
    const shown = cutText(mask(whole), Math.max(0, Math.min(bounds.text, left)));
    left -= shown.length;
    return shown;
  };
  const list = (items: readonly unknown[], depth: number): unknown[] => {
    const copied: unknown[] = [];
    for (const item of items) {
      if (copied.length >= bounds.entries || left <= 0) break;
      copied.push(copy(item, depth));
    }
    return copied.length < items.length ? [...copied, `… (+${items.length - copied.length} items)`] : copied;
  };
  const object = (fields: object, depth: number): Record<string, unknown> => {
    const entries = Object.entries(fields);
    const copied: [string, unknown][] = [];
    for (const [name, inner] of entries) {
      if (copied.length >= bounds.entries || !spend(name.length)) break;
      copied.push([mask(name), copy(inner, depth)]);
    }
    if (copied.length < entries.length) copied.push(['…', `+${entries.length - copied.length} fields`]);
    return Object.fromEntries(copied);
  };
  function copy(inner: unknown, depth: number): unknown {
    if (typeof inner === 'string') return text(inner);
    if (inner === null || typeof inner !== 'object') return spend(plainCost) ? inner : '…';
    if (depth >= bounds.depth) return '…';
    return Array.isArray(inner) ? list(inner, depth + 1) : object(inner, depth + 1);
  }
  return copy(value, 0);
}

/** Not longer than `limit` and the words that say how much is missing. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Half a surrogate pair is no text: Postgres refuses it.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}… (+${text.length - end} characters)`;
}
