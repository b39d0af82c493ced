import { createTimerQueue } from './timer-queue';

/** The callbacks of an event loop whose clock is a number. */
export interface Turns {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back at this moment of time, after what was asked for before. */
  soon(callback: () => void): void;
  /** Calls back in `ms` milliseconds, one at the least, as Node does. */
  after(ms: number, callback: () => void): void;
  /** Runs the next callback, with time moved on to it. Throws when there is none, and when time stands still for too long. */
  runNext(): void;
}

/** More turns than this at one moment of time: something calls itself for ever. */
const maxTurns = 100_000;

export function createTurns(startsAt: number): Turns {
  let now = startsAt;
  let soon: (() => void)[] = [];
  /** Those that came while `soon` runs. */
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
