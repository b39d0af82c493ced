import type { LaneItem, Work } from './lane-item';

/** Counts of the moment. */
export interface KeyLanesStats {
  /** Items handed out by `take` and not settled, orphans included: never above maxInFlight. */
  inFlight: number;
  /** Items handed out by `divert...` and not settled. */
  diverted: number;
  /** Handed out (either way) before their partition was revoked, and not settled. */
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
   * Hands out up to `max` items that may start now: the head (or the convoy at the head) of lanes that are neither
   * busy nor blocked, groups in turn. Convoys that do not fit are cut; the rest of the lane waits for what went.
   */
  take(max: number): Work<T>[];
  /**
   * Hands out everything that waits behind `work` in its lane, in log order, to be moved to the held store with it.
   * Outside maxInFlight. The lane stays busy until all of it settles. Empty when `work` is settled, an orphan, or draining.
   */
  divertBehind(work: Work<T>): Work<T>[];
  /**
   * Hands out up to `max` waiting items of a group, to be moved to the held store: from all its lanes that are not
   * busy, in log order per lane. A blocked group can be diverted. Outside maxInFlight.
   */
  divertGroup(group: string, max: number): Work<T>[];
  /** Finished: its outcome is durable, or it moved to the held store. Returns false when that no longer counts. */
  complete(work: Work<T>): boolean;
  /** Gives an item back that was not run; it stays at the head of its lane. Returns false when that no longer counts. */
  release(work: Work<T>): boolean;
  /** Nothing of a blocked group is taken. Blocks outlive revocations; a second block is no deeper than one. */
  blockGroup(group: string): void;
  unblockGroup(group: string): void;
  /**
   * Whether a held event of a lane may be run from the held store: everything before its offset was fetched under
   * this ownership (or skipped, see `skipTo`), and of its lane nothing before it waits and nothing at all is out.
   * Without it a crash in a convoy reorders: followers are in the held store while a mate is still to be fetched again.
   */
  isClearBefore(partition: number, lane: string, offset: bigint): boolean;
  /** The offset to commit: never past unfinished work. Null when not owned or nothing was seen yet. */
  committable(partition: number): bigint | null;
  /** True at or above a bound of the partition. Fetching pauses then, and goes on when `shouldResume` says so. */
  shouldPause(partition: number): boolean;
  /** True at or below half of every bound of an owned partition. */
  shouldResume(partition: number): boolean;
  /** Groups above maxPerGroup. */
  overflow(): string[];
  /** From now on nothing is handed out; what is out may settle. */
  drain(): void;
  /** True when nothing is handed out and, unless draining, nothing waits. */
  idle(): boolean;
  /** What a group has unfinished of an owned partition, in log order, handed out or not. Walks the partition's window. */
  unfinishedOfGroup(partition: number, group: string): LaneItem<T>[];
  stats(): KeyLanesStats;
}
