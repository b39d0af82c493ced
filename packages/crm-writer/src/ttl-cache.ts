import type { CallResult } from '@sluice/ports';
import { createBoundedCache } from './bounded-cache';

/**
 * Answers of the CRM that are believed for a while, loaded once for everybody who asks meanwhile. What went wrong, a value or a
 * rejection, is not kept: the next one to ask tries again.
 */
export interface TtlCache<T> {
  get(key: string, load: () => Promise<CallResult<T>>): Promise<CallResult<T>>;
  forget(key: string): void;
}

/**
 * @param max answers kept, those not used for longest go first
 * @param worthKeeping answers for which this is false are handed out and forgotten
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
