import type { CallResult } from '@sluice/ports';
import { createBoundedCache } from './bounded-cache';

/**
 * Caches answers of the CRM for a while; concurrent requests share one load. A failure, as a value or a rejection, is not cached:
 * the next request tries again.
 */
export interface TtlCache<T> {
  get(key: string, load: () => Promise<CallResult<T>>): Promise<CallResult<T>>;
  forget(key: string): void;
}

/**
 * @param max answers kept; the least recently used are dropped first
 * @param worthKeeping answers for which this is false are returned and not cached
 */
export function createTtlCache<T>(
  options: { ttlMs: number; max: number; now(): number; worthKeeping?(value: T): boolean },
): TtlCache<T> {
  const known = createBoundedCache<{ until: number; answer: Promise<CallResult<T>> }>(options.max);
  return {
    get: (key, load) => {
      const hit = known.get(key);
      if (hit && hit.until > options.now()) return hit.answer;
      const entry = { until: options.now() + options.ttlMs, answer: load() };
      known.set(key, entry);
      const drop = (): void => { if (known.peek(key) === entry) known.delete(key); };
      entry.answer.then((answer) => { if (!answer.ok || options.worthKeeping?.(answer.value) === false) drop(); }, drop);
      return entry.answer;
    },
    forget: (key) => { known.delete(key); },
  };
}
