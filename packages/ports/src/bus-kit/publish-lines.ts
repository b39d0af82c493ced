import type { BusMessage, PublishResult } from '../event-bus';

/** Messages of one `publish` call: they go together or not at all, in order. */
export interface PublishEntry {
  partition: number;
  messages: readonly BusMessage[];
  bytes: number;
  /** Set when it was tried before. */
  history?: SendHistory | undefined;
}

/** The result of the earlier attempts at an entry. */
export interface SendHistory {
  attempts: number;
  /** Attempts after which the entry may be in the log. */
  unsure: number;
  /** The message of the last attempt, or of the last one with an unknown outcome. */
  message: string;
}

/** An entry that waits. */
export interface WaitingEntry extends PublishEntry {
  /** When it was pushed, in milliseconds of the queue's clock. */
  since: number;
  settle(result: PublishResult): void;
}

/** The entries of one partition, in the order in which they were pushed. */
export interface PublishLine {
  waiting: WaitingEntry[];
  /** Bytes of all entries that wait or are under way. */
  bytes: number;
  /** A batch of it is under way: no other one starts, which keeps the order. */
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

/** The next line that could send now. */
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
 * lines busy. Lines that sent are moved to the end, so that a partition with much traffic does not delay the others.
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

/** Removes the entries of a line that were pushed before `oldest`. They are at the front. */
export function takeExpired(line: PublishLine, oldest: number): WaitingEntry[] {
  let count = 0;
  while (count < line.waiting.length && (line.waiting[count] as WaitingEntry).since < oldest) count += 1;
  return count === 0 ? [] : line.waiting.splice(0, count);
}
