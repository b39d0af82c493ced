import type { PartitionRef, UnitKey } from './run-store';

/** A unit that began under an owner and never ended, and at how many runner deaths it was under way. */
export interface WatchedUnit {
  unit: UnitKey;
  deaths: number;
}

/**
 * The units that a runner had begun when it died (ADR 0048). Written only while a partition is watched: for some time after an
 * owner ended without releasing it. Any method may throw `StoreUnavailable`.
 */
export interface CrashWatchStore {
  /** Notes units before they begin. One that is noted already keeps the higher number of deaths. */
  begin(ref: PartitionRef, units: readonly WatchedUnit[]): Promise<void>;
  /** Removes units that ended, with any result. */
  end(ref: PartitionRef, units: readonly UnitKey[]): Promise<void>;
  /**
   * For a new owner after a crash: counts one more death for every unit that had begun under the last owner, and returns all that
   * are noted.
   */
  countDeaths(ref: PartitionRef): Promise<WatchedUnit[]>;
  /** Removes all notes of the partition. */
  forget(ref: PartitionRef): Promise<void>;
}
