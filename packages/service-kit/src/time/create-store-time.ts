import { type StoreClock, storeClock } from '@sluice/ports';

/** Differences up to this are adopted at once: the time that an answer was on its way, and the drift of two clocks. */
const toleranceMs = 2_000;
/** A database that is further ahead is believed only once it has said so for this long. */
const confirmMs = 60_000;

/** The database's time in one process, between two answers of the database. */
export interface StoreTime {
  now: StoreClock;
  /** The database has answered with its time, milliseconds since the epoch. */
  told(storeMs: number): void;
}

export interface StoreTimeSources {
  /** Milliseconds that never go back and that no wall clock moves. Default: `performance.now`. */
  steady?(): number;
  /** Milliseconds since the epoch, until the database has answered for the first time. Default: `Date.now`. */
  wall?(): number;
}

/**
 * The clock by which stored times are read and written: the database's, continued by a clock that nobody sets. It follows small
 * corrections at once. When the database's clock jumps, on the same machine together with the wall clock, the stored times were
 * made before the jump:
 * - back: this clock goes on at half its speed until the database has caught up. A wait takes at most twice as long.
 * - forth: this clock jumps too, once the database has said so for a minute. An event does not expire because a clock was wrong
 *   for a moment.
 */
export function createStoreTime({ steady = () => performance.now(), wall = Date.now }: StoreTimeSources = {}): StoreTime {
  let at = { steady: steady(), store: wall() };
  let isTold = false;
  /** By how much this clock is ahead of the database. */
  let aheadMs = 0;
  let jump: { byMs: number; since: number } | null = null;

  const read = (): number => {
    const passed = Math.max(0, steady() - at.steady);
    const held = Math.min(aheadMs, passed / 2);
    aheadMs -= held;
    at = { steady: at.steady + passed, store: at.store + passed - held };
    return at.store;
  };
  const adopt = (storeMs: number): void => {
    at = { steady: steady(), store: storeMs };
    [isTold, aheadMs, jump] = [true, 0, null];
  };
  const isConfirmed = (byMs: number): boolean => {
    if (!jump || Math.abs(jump.byMs - byMs) > toleranceMs) jump = { byMs, since: at.steady };
    return at.steady - jump.since >= confirmMs;
  };

  return {
    now: storeClock(read),
    told: (storeMs) => {
      const byMs = storeMs - read();
      if (!isTold || Math.abs(byMs) <= toleranceMs) return adopt(storeMs);
      if (byMs < 0) [aheadMs, jump] = [-byMs, null];
      else if (isConfirmed(byMs)) adopt(storeMs);
    },
  };
}
