import { type MonotonicClock, monotonicClock, type WallClock, wallClock } from '@sluice/ports';
import { createStoreTime, type StoreTime } from '@sluice/service-kit';
import type { Prng } from './prng';
import type { Clock } from './virtual-time';

/** By how much the wall clocks of two machines differ at most when nobody sets them. */
const usualSkewMs = 30_000;
const hour = 3_600_000;
/** What a wall clock is set by: corrections, an hour that somebody confused, and more than an event may wait. */
const steps = [-hour, -20_000, 20_000, hour, 15 * 24 * hour] as const;

/** The clocks of one process. They differ, as those of a machine do: whoever takes one for another is wrong by years. */
export interface SimClocks {
  now: WallClock;
  /** Starts at 0. */
  monotonicNow: MonotonicClock;
  storeTime: StoreTime;
  /** Somebody sets the wall clock of the machine. After a while it is right again. */
  step(): void;
}

export function createSimClocks(clock: Clock, prng: Prng): SimClocks {
  const bornAt = clock.now();
  const skewMs = prng.int(2 * usualSkewMs) - usualSkewMs;
  let steppedMs = 0;
  const now = wallClock(() => clock.now() + skewMs + steppedMs);
  const monotonicNow = monotonicClock(() => clock.now() - bornAt);
  return {
    now,
    monotonicNow,
    storeTime: createStoreTime({ steady: monotonicNow, wall: now }),
    step: () => {
      steppedMs = prng.pick(steps);
      void clock.sleep(1_000 + prng.int(30_000)).then(() => { steppedMs = 0; });
    },
  };
}
