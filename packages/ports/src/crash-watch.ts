import type { PartitionRef, UnitKey } from './run-store';

/** A unit that was begun under some owner and never ended, and how many deaths of a runner it has been part of. */
export interface WatchedUnit {
  unit: UnitKey;
  deaths: number;
}

/**
 * What a runner had begun when it died (ADR 0048). It is written only while a partition is watched, that is for some time after
 * an owner ended without giving it back. Any method may throw `StoreUnavailable`.
 */
export interface CrashWatchStore {
  /** Notes units before they begin. One that is noted already keeps the higher number of deaths. */
  begin(ref: PartitionRef, units: readonly WatchedUnit[]): Promise<void>;
  /** Removes units that ended, whatever became of them. */
  end(ref: PartitionRef, units: readonly UnitKey[]): Promise<void>;
  /**
   * For a new owner after a crash: counts one more death for every unit that had begun under the last owner, and returns all that
   * are noted.
   */
  countDeaths(ref: PartitionRef): Promise<WatchedUnit[]>;
  /** Removes everything that is noted of the partition. */
  forget(ref: PartitionRef): Promise<void>;
}
