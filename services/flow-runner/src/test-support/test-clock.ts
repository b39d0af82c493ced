import { turns } from '@sluice/ports/testing';

/** A clock that only `pass` moves. Times in milliseconds, from 0 on. */
export interface TestClock {
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Lets time pass in steps; after each what became runnable runs. */
  pass(ms: number, stepMs?: number): Promise<void>;
}

export function createTestClock(): TestClock {
  let at = 0;
  let sleepers: { until: number; wake(): void }[] = [];
  return {
    now: () => at,
    sleep: (ms) => new Promise((resolve) => { sleepers.push({ until: at + ms, wake: resolve }); }),
    pass: async (ms, stepMs = 10) => {
      for (const end = at + ms; at < end;) {
        at = Math.min(end, at + stepMs);
        const woken = sleepers.filter(({ until }) => until <= at);
        sleepers = sleepers.filter(({ until }) => until > at);
        for (const { wake } of woken) wake();
        await turns(2);
      }
    },
  };
}
