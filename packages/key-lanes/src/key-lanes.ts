import type { LaneItem, Work } from './lane-item';

/** Present counts. */
export interface KeyLanesStats {
  /** Items handed out by `take` and not settled, orphans included: never above maxInFlight. */
  inFlight: number;
  /** Items handed out by `divert...` and not settled. */
  diverted: number;
  /** Handed out by either method before their partition was revoked, and not settled. */
  orphans: number;
  /** Fetched, not finished, not handed out. */
  buffered: number;
  lanes: number;
  groups: number;
  partitions: number;
}

/** Key-ordered parallel consumption as plain state: what may start now, and what may be committed. See README.md. */
export interface KeyLanes<T> {
  /**
   * Starts owning a partition under an epoch. An older epoch that is still owned is revoked first; the owned
   * epoch again changes nothing, a lower one is ignored. Lanes with orphans stay busy until these settle.
   */
  assign(partition: number, epoch: bigint): void;
  /**
   * Stops owning. Waiting items are forgotten, items handed out become orphans: their completion no longer
   * counts for the offset, but they hold their lane and their place until they settle. Returns them, in log order.
   */
  revoke(partition: number): LaneItem<T>[];
  /**
   * Takes in fetched items, in rising offset order. Those already seen (a refetch) and those of another epoch are
   * ignored. Returns how many were new. Throws on items out of order, of another partition, or on a lane of two groups.
   */
  add(items: readonly LaneItem<T>[], partition: number, epoch: bigint): number;
  /**
   * Says that everything up to and including `offset` was fetched; what was not added needs no work. Also called
   * once after `assign` with the offset before the first one to fetch: what is committed needs no fetching.
   */
  skipTo(partition: number, epoch: bigint, offset: bigint): void;
  /**
   * Hands out up to `max` items that may start now: the head (or the convoy at the head) of each lane that is neither busy nor
   * blocked; groups take turns. A convoy that does not fit is cut, and the rest of its lane waits for the part that was handed
   * out.
   */
  take(max: number): Work<T>[];
  /**
   * Hands out everything that waits behind `work` in its lane, in log order, to be moved to the held store with it.
   * Outside maxInFlight. The lane stays busy until all of it settles. Empty when `work` is settled, an orphan, or draining.
   */
  divertBehind(work: Work<T>): Work<T>[];
  /**
   * Hands out everything of a group in an owned partition that waits at or after an offset, in log order, to be moved to the held
   * store: also behind what is in flight, and of a blocked group. Outside maxInFlight.
   */
  divertGroup(partition: number, group: string, from: bigint): Work<T>[];
  /** Finished: its outcome is durable, or it moved to the held store. Returns false when that no longer counts. */
  complete(work: Work<T>): boolean;
  /** Gives an item back that was not run; it stays at the head of its lane. Returns false when that no longer counts. */
  release(work: Work<T>): boolean;
  /** Nothing of a blocked group is handed out. A block outlives revocations; blocking twice is the same as once. */
  blockGroup(group: string): void;
  unblockGroup(group: string): void;
  /**
   * Whether a held event of a lane may run: everything before its offset was fetched under this ownership (or skipped, see
   * `skipTo`), nothing of its lane before it waits, and nothing of its lane is handed out. Without this check a crash in a convoy
   * changes the order: later events are held while an earlier one of the convoy must be fetched again.
   */
  isClearBefore(partition: number, lane: string, offset: bigint): boolean;
  /** The highest offset that was fetched or skipped. Null when not owned or nothing was seen yet. */
  seen(partition: number): bigint | null;
  /** The offset to commit: never past unfinished work. Null when not owned or nothing was seen yet. */
  committable(partition: number): bigint | null;
  /** True at or above a bound of the partition. Fetching pauses then, until `shouldResume` is true. */
  shouldPause(partition: number): boolean;
  /** True at or below half of every bound of an owned partition. */
  shouldResume(partition: number): boolean;
  /** From now on nothing is handed out; items that are handed out may still settle. */
  drain(): void;
  /** True when nothing is handed out and, unless draining, nothing waits. */
  idle(): boolean;
  /** The unfinished items of an owned partition by group, in log order, handed out or not. Walks the partition's window. */
  unfinishedByGroup(partition: number): Map<string, LaneItem<T>[]>;
  /** Those of one group. */
  unfinishedOfGroup(partition: number, group: string): LaneItem<T>[];
  stats(): KeyLanesStats;
}
