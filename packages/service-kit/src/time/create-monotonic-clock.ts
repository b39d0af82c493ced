import { type MonotonicClock, monotonicClock } from '@sluice/ports';
export interface MonotonicClockSources {
  /** Milliseconds since the epoch; may be set back and forth. Default: `Date.now`. */
  wall?(): number;
  /** Milliseconds that never go back; may stand still while the machine is suspended. Default: `performance.now`. */
  monotonic?(): number;
}

/** The wall clock may be ahead by so much before the difference counts as time in which the machine was suspended. */
const toleranceMs = 250;

/**
 * Milliseconds from an arbitrary start, for differences only: leases, deadlines, waits. It never goes back, whatever is done to
 * the wall clock. Time in which the machine was suspended counts: the operating system's monotonic clock stands still then,
 * while a lease in the database runs on. So a wall clock that runs ahead moves this one ahead too, which ends a lease too
 * early, never too late.
 */
export function createMonotonicClock({
  wall = Date.now,
  monotonic = () => performance.now(),
}: MonotonicClockSources = {}): MonotonicClock {
  let ahead = wall() - monotonic();
  let suspendedMs = 0;
  return monotonicClock(() => {
    const elapsed = monotonic();
    const difference = wall() - elapsed;
    if (difference < ahead) ahead = difference;
    if (difference > ahead + toleranceMs) {
      suspendedMs += difference - ahead;
      ahead = difference;
    }
    return elapsed + suspendedMs;
  });
}
