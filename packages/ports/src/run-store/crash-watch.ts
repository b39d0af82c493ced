import type { PartitionRef } from './partition-ref';
import type { UnitKey } from './unit-key';

/** A unit that began under an owner and never ended, and at how many deaths of runners it was under way. */
export interface WatchedUnit {
  unit: UnitKey;
  /** Deaths while other units were in hand too. */
  deaths: number;
  /** Deaths in a row while it was the only unit in hand: one without it ends the row. */
  aloneDeaths: number;
}

/** A unit that begins now. `alone`: nothing else is in hand while it is under way. */
export interface BegunUnit extends WatchedUnit {
  alone: boolean;
}

/**
 * The units that a runner had begun when it died (ADR 0048). Written only while a partition is watched: for some time after an
 * owner ended without releasing it. Any method may throw `StoreUnavailable`.
 */
export interface CrashWatchStore {
  /** Notes units before they begin. One that is noted already keeps the higher numbers of deaths. */
  begin(ref: PartitionRef, units: readonly BegunUnit[]): Promise<void>;
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
