import type { BusMessage, PublishResult } from '../event-bus';

/** Messages of one `publish` call: they go together or not at all, in order. */
export interface PublishEntry {
  partition: number;
  messages: readonly BusMessage[];
  bytes: number;
  /** Set when it was tried before. */
  history?: SendHistory | undefined;
}

/** What the earlier attempts at an entry came to. */
export interface SendHistory {
  attempts: number;
  /** Attempts after which the entry may be in the log. */
  unsure: number;
  /** Of the attempt that counts: the last one, or the last unsure one. */
  message: string;
}

/** An entry that waits for its turn. */
export interface WaitingEntry extends PublishEntry {
  /** When it was pushed, in milliseconds of the queue's clock. */
  since: number;
  settle(result: PublishResult): void;
}

/** The entries of one partition, in the order in which they were pushed. */
export interface PublishLine {
  waiting: WaitingEntry[];
  /** Of all that waits or is under way. */
  bytes: number;
  /** A batch of it is under way: nothing else of it starts, so that the order stays. */
  busy: boolean;
}

/** The lines of one topic, by partition. */
export type PublishLines = Map<number, PublishLine>;

/** Puts an entry at the end of its partition's line. */
export function addEntry(lines: PublishLines, entry: WaitingEntry): void {
  const line = lines.get(entry.partition) ?? { waiting: [], bytes: 0, busy: false };
  lines.set(entry.partition, line);
  line.waiting.push(entry);
  line.bytes += entry.bytes;
}

/** A line that could send now. */
export function isReady(line: PublishLine): boolean {
  return !line.busy && line.waiting.length > 0;
}

/** Whether a line of the given partitions could send now. */
export function hasReady(lines: PublishLines, mine: (partition: number) => boolean): boolean {
  for (const [partition, line] of lines) if (isReady(line) && mine(partition)) return true;
  return false;
}

/**
 * Takes a batch of at most `maxBytes` (one entry may be larger) from the ready lines of the given partitions and marks these
 * lines busy. Lines that were taken from go to the end, so that a partition with much traffic does not keep the others waiting.
 */
export function takeBatch(lines: PublishLines, mine: (partition: number) => boolean, maxBytes: number): WaitingEntry[] {
  const batch: WaitingEntry[] = [];
  const taken: number[] = [];
  let room = maxBytes;
  for (const [partition, line] of lines) {
    if (!isReady(line) || !mine(partition)) continue;
    let count = 0;
    for (const { bytes } of line.waiting) {
      if (bytes > room && batch.length + count > 0) break;
      room -= bytes;
      count += 1;
    }
    if (count > 0) {
      line.busy = true;
      taken.push(partition);
      for (const entry of line.waiting.splice(0, count)) batch.push(entry);
    }
    if (line.waiting.length > 0) break;
  }
  for (const partition of taken) {
    const line = lines.get(partition) as PublishLine;
    lines.delete(partition);
    lines.set(partition, line);
  }
  return batch;
}

/** Takes out the entries of a line that were pushed before `oldest`. They stand in front. */
export function takeExpired(line: PublishLine, oldest: number): WaitingEntry[] {
  let count = 0;
  while (count < line.waiting.length && (line.waiting[count] as WaitingEntry).since < oldest) count += 1;
  return count === 0 ? [] : line.waiting.splice(0, count);
}
