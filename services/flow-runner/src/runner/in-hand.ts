import { unitKeyText, type UnitKey } from '@sluice/ports';

/**
 * Units of one partition that are fetched and not finished. An event accepted around midnight under one Idempotency-Key may come
 * under the ids of two days: it is known by its own id and by its aliases, whichever of the two came first.
 */
export interface InHand {
  /** Whether this unit, or the same event's under another id, is in hand. */
  has(unit: UnitKey, aliases?: readonly string[]): boolean;
  add(unit: UnitKey, aliases?: readonly string[]): void;
  /** Undoes one `add` of the same unit. */
  remove(unit: UnitKey, aliases?: readonly string[]): void;
}

export function createInHand(): InHand {
  const ids = new Set<string>();
  /** How many units in hand have this alias: neighbours in time share the day between them without being the same event. */
  const otherIds = new Map<string, number>();
  const textOf = (unit: UnitKey, eventId: string): string => unitKeyText({ ...unit, eventId });
  const count = (text: string, by: 1 | -1): void => {
    const left = (otherIds.get(text) ?? 0) + by;
    if (left > 0) otherIds.set(text, left);
    else otherIds.delete(text);
  };
  return {
    has: (unit, aliases = []) => {
      const text = unitKeyText(unit);
      return ids.has(text) || otherIds.has(text) || aliases.some((alias) => ids.has(textOf(unit, alias)));
    },
    add: (unit, aliases = []) => {
      ids.add(unitKeyText(unit));
      for (const alias of aliases) count(textOf(unit, alias), 1);
    },
    remove: (unit, aliases = []) => {
      ids.delete(unitKeyText(unit));
      for (const alias of aliases) count(textOf(unit, alias), -1);
    },
  };
}
