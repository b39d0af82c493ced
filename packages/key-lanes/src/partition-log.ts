import { bytesOf, type LaneItem } from './lane-item';
import type { PartitionLog, Slot } from './lane-model';

/** The log of a new ownership: nothing seen. */
export function createPartitionLog<T>(partition: number, epoch: bigint): PartitionLog<T> {
  return { partition, epoch, revoked: false, first: null, last: null, highestSeen: null, unfinished: 0, bytes: 0, window: 0 };
}

/** Appends a newly fetched item. Its offset is above everything seen. */
export function appendToLog<T>(log: PartitionLog<T>, slot: Slot<T>): void {
  if (log.last === null) log.first = slot;
  else log.last.nextInLog = slot;
  log.last = slot;
  log.highestSeen = slot.offset;
  log.unfinished += 1;
  log.bytes += bytesOf(slot.item);
  log.window += 1;
}

/** Marks an item finished and moves the watermark over whatever is finished now. O(1) amortised. */
export function finishInLog<T>(log: PartitionLog<T>, slot: Slot<T>): void {
  log.bytes -= bytesOf(slot.item);
  slot.item = null;
  log.unfinished -= 1;
  let first = log.first;
  while (first !== null && first.item === null) {
    first = first.nextInLog;
    log.window -= 1;
  }
  log.first = first;
  if (first === null) log.last = null;
}

/** The offset to commit: the lowest unfinished, else the one after the highest seen; null when nothing was seen. */
export function committableOf<T>(log: PartitionLog<T>): bigint | null {
  if (log.first !== null) return log.first.offset;
  return log.highestSeen === null ? null : log.highestSeen + 1n;
}

/** The unfinished items, in log order. */
export function* unfinishedOf<T>(log: PartitionLog<T>): Generator<Slot<T> & { item: LaneItem<T> }> {
  for (let slot = log.first; slot !== null; slot = slot.nextInLog) {
    if (slot.item !== null) yield slot as Slot<T> & { item: LaneItem<T> };
  }
}
