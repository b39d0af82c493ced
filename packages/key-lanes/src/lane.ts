import type { Group, Lane, Slot } from './lane-model';

/** A lane without items. */
export function createLane<T>(partition: number, name: string, group: Group<T>): Lane<T> {
  return { partition, name, group, first: null, last: null, out: 0, returned: [], again: 0, queued: false };
}

/** Appends an item behind everything the lane has. */
export function appendToLane<T>(lane: Lane<T>, slot: Slot<T>): void {
  if (lane.last === null) lane.first = slot;
  else lane.last.nextInLane = slot;
  lane.last = slot;
}

/** Takes the first item out of the waiting ones. */
export function shiftLane<T>(lane: Lane<T>): Slot<T> | null {
  const slot = lane.first;
  if (slot === null) return null;
  lane.first = slot.nextInLane;
  if (lane.first === null) lane.last = null;
  slot.nextInLane = null;
  if (lane.again > 0) lane.again -= 1;
  return slot;
}

/** Puts what was released back to the front, in log order. */
export function putBackReturned<T>(lane: Lane<T>): void {
  if (lane.returned.length === 0) return;
  const returned = lane.returned.sort((a, b) => (a.offset < b.offset ? -1 : 1));
  for (let i = returned.length - 1; i >= 0; i -= 1) {
    const slot = returned[i]!;
    slot.nextInLane = lane.first;
    lane.first = slot;
    lane.last ??= slot;
  }
  lane.again += returned.length;
  lane.returned = [];
}

/** Forgets the waiting items; what is handed out stays counted. */
export function emptyLane<T>(lane: Lane<T>): void {
  lane.first = lane.last = null;
  lane.returned = [];
  lane.again = 0;
}

/**
 * How many items of the front may start together: one, or a convoy. A convoy is a run of convoy items none of
 * which writes what another writes or reads; an item that does not say what it touches goes alone.
 */
export function runLength<T>(lane: Lane<T>, limit: number): number {
  const head = lane.first?.item;
  if (!head) return 0;
  if (!head.convoy || !head.touches) return 1;
  const most = lane.again > 0 ? Math.min(limit, lane.again) : limit;
  const written = new Set<string>();
  const read = new Set<string>();
  let length = 0;
  for (let slot: Slot<T> | null = lane.first; slot !== null && length < most; slot = slot.nextInLane) {
    const item = slot.item!;
    const touched = item.convoy ? item.touches : undefined;
    if (!touched) break;
    if (touched.writes.some((key) => written.has(key) || read.has(key)) || touched.reads.some((key) => written.has(key))) break;
    for (const key of touched.writes) written.add(key);
    for (const key of touched.reads) read.add(key);
    length += 1;
  }
  return length;
}
