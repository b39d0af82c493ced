import { setOwn } from '@sluice/flow-engine';

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
 * A JSON value no larger than its bounds: the value itself where nothing has to change, else a copy. What is left out is named
 * where it was: a text ends with `… (+N characters)`, a list with `… (+N items)`, an object with a field `…`. Every text passes
 * `mask` before it is cut.
 */
export const boundedValue = (value: unknown, bounds: ValueBounds, mask: (text: string) => string): unknown =>
  new BoundedCopy(bounds, mask).of(value, 0);

class BoundedCopy {
  private left: number;

  constructor(
    private readonly bounds: ValueBounds,
    private readonly mask: (text: string) => string,
  ) {
    this.left = bounds.characters;
  }

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.text(value);
    if (value === null || typeof value !== 'object') return this.spend(plainCost) ? value : '…';
    if (depth >= this.bounds.depth) return '…';
    return Array.isArray(value) ? this.list(value, depth + 1) : this.object(value as Fields, depth + 1);
  }

  private spend(characters: number): boolean {
    this.left -= characters;
    return this.left >= 0;
  }

  private text(whole: string): string {
    const shown = cutText(this.mask(whole), Math.max(0, Math.min(this.bounds.text, this.left)));
    this.left -= shown.length;
    return shown;
  }

  private list(items: readonly unknown[], depth: number): unknown[] {
    const copied: unknown[] = [];
    for (const item of items) {
      if (copied.length >= this.bounds.entries || this.left <= 0) break;
      copied.push(this.of(item, depth));
    }
    const missing = items.length - copied.length;
    if (missing > 0) copied.push(`… (+${missing} items)`);
    return copied;
  }

  private object(fields: Fields, depth: number): Fields {
    const names = Object.keys(fields);
    let copied: Record<string, unknown> | null = null;
    let count = 0;
    for (const name of names) {
      if (count >= this.bounds.entries || !this.spend(name.length)) break;
      const shownName = this.mask(name);
      const shown = this.of(fields[name], depth);
      if (shownName !== name || shown !== fields[name]) copied ??= firstOf(fields, names, count);
      if (copied !== null) setOwn(copied, shownName, shown);
      count += 1;
    }
    const missing = names.length - count;
    if (missing === 0) return copied ?? fields;
    copied ??= firstOf(fields, names, count);
    copied['…'] = `+${missing} fields`;
    return copied;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function firstOf(fields: Fields, names: readonly string[], count: number): Record<string, unknown> {
  const copied: Record<string, unknown> = {};
  for (const name of names.slice(0, count)) setOwn(copied, name, fields[name]);
  return copied;
}

/** Not longer than `limit` and the words that say how much is missing. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Half a surrogate pair is no text: Postgres refuses it.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}… (+${text.length - end} characters)`;
}
