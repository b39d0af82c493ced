import type { EventEnvelope } from '@sluice/contracts';
import { unitKeyText, type UnitKey } from '@sluice/ports';

/**
 * Units of one partition that are fetched and not finished. An event accepted around midnight under one Idempotency-Key may
 * arrive with the ids of two days: it is found by its own id and by its aliases, whichever arrived first.
 */
export interface UnfinishedUnits {
  /** Whether this unit, or the same event's under another id, is in hand. */
  has(unit: InHandUnit): boolean;
  /** Whether any unit in hand is of this lane. */
  hasLane(lane: string): boolean;
  /** Whether a live one is. */
  hasLive(lane: string): boolean;
  add(unit: InHandUnit): void;
  /** Undoes one `add` of the same unit. */
  remove(unit: InHandUnit): void;
  /** How many units are in hand. */
  size(): number;
}

/** The keys of a unit in hand. */
export interface InHandUnit {
  key: UnitKey;
  keyText: string;
  envelope: Pick<EventEnvelope, 'lane' | 'kind' | 'aliases'>;
}

export function createUnfinishedUnits(): UnfinishedUnits {
  const ids = new Set<string>();
  /** How many units in hand have this alias. Two different events may have the id of the same day as an alias. */
  const otherIds = new Map<string, number>();
  const lanes = new Map<string, number>();
  /** Units of other kinds than 'live', by lane: mostly there are none. */
  const others = new Map<string, number>();
  const textOf = (unit: UnitKey, eventId: string): string => unitKeyText({ ...unit, eventId });
  const count = (counts: Map<string, number>, text: string, by: 1 | -1): void => {
    const left = (counts.get(text) ?? 0) + by;
    if (left > 0) counts.set(text, left);
    else counts.delete(text);
  };
  const change = ({ key, envelope: { lane, kind, aliases } }: InHandUnit, by: 1 | -1): void => {
    if (aliases) for (const alias of aliases) count(otherIds, textOf(key, alias), by);
    count(lanes, lane, by);
    if (kind !== 'live') count(others, lane, by);
  };
  return {
    has: ({ key, keyText, envelope: { aliases } }) =>
      ids.has(keyText) || otherIds.has(keyText) || (aliases?.some((alias) => ids.has(textOf(key, alias))) ?? false),
    hasLane: (lane) => lanes.has(lane),
    hasLive: (lane) => (lanes.get(lane) ?? 0) > (others.get(lane) ?? 0),
    add: (unit) => {
      ids.add(unit.keyText);
      change(unit, 1);
    },
    remove: (unit) => {
      ids.delete(unit.keyText);
      change(unit, -1);
    },
    size: () => ids.size,
  };
}
