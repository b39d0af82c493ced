import type { LimitStore } from '@sluice/service-parts';

export interface AttemptLimitOptions {
  store: LimitStore;
  /** First part of the keys. */
  name: string;
  /** Failures that cost no wait. */
  free: number;
  /** Milliseconds of the first wait; each further failure doubles it, up to `longestWaitMs`. */
  firstWaitMs: number;
  longestWaitMs: number;
  /** Milliseconds after the first failure when all failures are forgotten. */
  forgetMs: number;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Failed attempts by key, and how long the next attempt of the key has to wait. */
export interface AttemptLimit {
  /** Milliseconds to wait; 0: an attempt may be made. */
  waitMs(key: string): Promise<number>;
  /**
   * Counts a failure.
   * @param free replaces the usual number of failures that cost no wait
   * @returns how many there are now
   */
  failed(key: string, free?: number): Promise<number>;
  /** Forgets the failures: an attempt was right. */
  clear(key: string): Promise<void>;
}

export function createAttemptLimit(options: AttemptLimitOptions): AttemptLimit {
  const { store, name, firstWaitMs, longestWaitMs, forgetMs, now } = options;
  const countKey = (key: string): string => `${name}:failed:${key}`;
  const untilKey = (key: string): string => `${name}:until:${key}`;
  return {
    waitMs: async (key) => {
      const [until] = await store.getMany([untilKey(key)]);
      return until === null || until === undefined ? 0 : Math.max(0, Number(until) - now());
    },
    failed: async (key, free = options.free) => {
      const failures = await store.increment(countKey(key), 1, { ttlMs: forgetMs });
      if (failures < free) return failures;
      const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(30, failures - free));
      await store.set(untilKey(key), String(now() + waitMs), { ttlMs: waitMs });
      return failures;
    },
    clear: (key) => store.delete([countKey(key), untilKey(key)]),
  };
}
