import type { CallResult, CallSuccess, MonotonicClock } from '@sluice/ports';
import { createBoundedCache } from './bounded-cache';

/**
 * Caches answers of the CRM for a while; concurrent requests share one load. A failure, as a value or a rejection, is not cached:
 * the next request tries again.
 */
export interface TtlCache<T> {
  /** @param since when its load must have begun at the earliest, monotonic milliseconds; default: any cached answer will do */
  get(key: string, load: () => Promise<CallResult<T>>, since?: number): Promise<CallResult<T>>;
  /** The cached answer; undefined: there is none, or it is still being loaded. */
  known(key: string): CallSuccess<T> | undefined;
  forget(key: string): void;
}

interface Entry<T> {
  loadedAt: number;
  answer: Promise<CallResult<T>>;
  /** The value of `answer` as soon as it is loaded. */
  known: CallSuccess<T> | undefined;
}

/**
 * @param max answers kept; the least recently used are dropped first
 * @param worthKeeping answers for which this is false are returned and not cached
 */
export function createTtlCache<T>(
  options: { ttlMs: number; max: number; monotonicNow: MonotonicClock; worthKeeping?(value: T): boolean },
): TtlCache<T> {
  const entries = createBoundedCache<Entry<T>>(options.max);
  const believed = (key: string): Entry<T> | undefined => {
    const hit = entries.get(key);
    return hit && hit.loadedAt + options.ttlMs > options.monotonicNow() ? hit : undefined;
  };
  return {
    get: (key, load, since = -Infinity) => {
      const hit = believed(key);
      if (hit && hit.loadedAt >= since) return hit.answer;
      const entry: Entry<T> = { loadedAt: options.monotonicNow(), answer: load(), known: undefined };
      entries.set(key, entry);
      const drop = (): void => { if (entries.peek(key) === entry) entries.delete(key); };
      entry.answer.then((answer) => {
        if (!answer.ok || options.worthKeeping?.(answer.value) === false) drop();
        else entry.known = answer;
      }, drop);
      return entry.answer;
    },
    known: (key) => believed(key)?.known,
    forget: (key) => { entries.delete(key); },
  };
}
