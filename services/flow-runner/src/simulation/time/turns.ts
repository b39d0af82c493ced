import { createTimerQueue } from './timer-queue';

/** The callbacks of an event loop whose clock is a number. */
export interface Turns {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back at the present time, after earlier callbacks. */
  soon(callback: () => void): void;
  /** Calls back in `ms` milliseconds, one at the least, as Node does. */
  after(ms: number, callback: () => void): void;
  /** Runs the next callback, after moving the time to it. Throws when there is none, and when time does not pass for too long. */
  runNext(): void;
}

/** More turns than this at one time mean an endless loop. */
const maxTurns = 100_000;

export function createTurns(startsAt: number): Turns {
  let now = startsAt;
  let soon: (() => void)[] = [];
  /** Callbacks added while `soon` runs. */
  let next: (() => void)[] = [];
  let place = 0;
  let turnsHere = 0;
  const timers = createTimerQueue();

  const nextSoon = (): (() => void) | undefined => {
    if (place === soon.length) [soon, next, place] = [next, [], 0];
    return place < soon.length ? soon[place++] : undefined;
  };
  const nextTimer = (): (() => void) => {
    const timer = timers.shift();
    if (!timer) throw new Error('nothing is left to run');
    if (timer.at > now) {
      now = timer.at;
      turnsHere = 0;
    }
    return timer.callback;
  };
  return {
    now: () => now,
    soon: (callback) => void next.push(callback),
    after: (ms, callback) => timers.add(now + (ms >= 1 ? ms : 1), callback),
    runNext: () => {
      turnsHere += 1;
      if (turnsHere > maxTurns) throw new Error(`more than ${maxTurns} turns without time passing`);
      (nextSoon() ?? nextTimer())();
    },
  };
}
