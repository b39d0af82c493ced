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

/** Puts what was released back in log order: to the front, but for what was to be moved away from behind others. */
export function putBackReturned<T>(lane: Lane<T>): void {
  if (lane.returned.length === 0) return;
  const returned = lane.returned.sort((a, b) => (a.offset < b.offset ? -1 : 1));
  lane.returned = [];
  const isFront = ({ offset }: Slot<T>): boolean => lane.first === null || offset < lane.first.offset;
  lane.again += returned.filter(isFront).length;
  let before: Slot<T> | null = null;
  for (const slot of returned) {
    let next: Slot<T> | null = before === null ? lane.first : before.nextInLane;
    while (next !== null && next.offset < slot.offset) [before, next] = [next, next.nextInLane];
    slot.nextInLane = next;
    if (before === null) lane.first = slot;
    else before.nextInLane = slot;
    if (next === null) lane.last = slot;
    before = slot;
  }
}

/** Takes out what waits at or after an offset, in log order. */
export function cutLane<T>(lane: Lane<T>, from: bigint): Slot<T>[] {
  let [before, next]: (Slot<T> | null)[] = [null, lane.first];
  let kept = 0;
  for (; next && next.offset < from; kept += 1) [before, next] = [next, next.nextInLane];
  lane.last = before ?? null;
  if (before) before.nextInLane = null;
  else lane.first = null;
  lane.again = Math.min(lane.again, kept);
  const cut: Slot<T>[] = [];
  for (let slot = next ?? null; slot !== null;) {
    cut.push(slot);
    const after: Slot<T> | null = slot.nextInLane;
    slot.nextInLane = null;
    slot = after;
  }
  return cut;
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
