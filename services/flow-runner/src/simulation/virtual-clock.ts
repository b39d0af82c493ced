/** Time that only passes when the simulation says so. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Lets everything run that may run now, then moves on to the next timer. */
  step(): Promise<void>;
}

const realImmediate = setImmediate;
/** Turns of the event loop given to what became runnable: batches start, settle and answer in turns. */
const turns = 2;

/** Puts jest's fake timers in place of the machine's; the event loop itself stays real. Call `end` when done. */
export function startVirtualTime(): Clock & { end(): Promise<void> } {
  jest.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z'), doNotFake: ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask', 'hrtime'] });
  // Time goes on also while nobody waits for anything.
  setInterval(() => undefined, 100);
  return {
    now: () => Date.now(),
    sleep: (ms) => new Promise((resolve) => { setTimeout(resolve, ms); }),
    step: async () => {
      for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => { realImmediate(resolve); });
      jest.advanceTimersToNextTimer();
    },
    end: async () => {
      // What still runs comes to rest on a timer that never strikes.
      for (let turn = 0; turn < turns * 5; turn += 1) await new Promise<void>((resolve) => { realImmediate(resolve); });
      jest.clearAllTimers();
      jest.useRealTimers();
    },
  };
}
