import { setTimeout as sleep } from 'node:timers/promises';

/** How long and how often `eventually` looks, in milliseconds. */
export interface EventuallyOptions {
  /** Default 30,000: two cores that run all tests are slow. */
  timeoutMs?: number;
  /** Default 50. */
  everyMs?: number;
}

/**
 * Calls `look` until it neither throws nor returns false, and returns what it returned.
 * @throws the error of the last call, when the time is over
 */
export async function eventually<T>(look: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  const { timeoutMs = 30_000, everyMs = 50 } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      const value = await look();
      if (value !== false) return value;
      if (performance.now() > deadline) throw new Error(`Still false after ${timeoutMs} ms`);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(everyMs);
  }
}
