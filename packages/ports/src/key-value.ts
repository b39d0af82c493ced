/** Thrown by every method while the store cannot be reached. Callers fall back, for example to counters of their own. */
export class KeyValueUnavailable extends Error {
  override name = 'KeyValueUnavailable';
}

/** Shared memory for data that may be lost: limits, caches, fingerprints. Adapters: Redis, in memory. */
export interface KeyValue {
  get(key: string): Promise<string | null>;
  getMany(keys: readonly string[]): Promise<(string | null)[]>;
  set(key: string, value: string, options: { ttlMs: number }): Promise<void>;
  /** True when this call set it. */
  setIfAbsent(key: string, value: string, options: { ttlMs: number }): Promise<boolean>;
  delete(keys: readonly string[]): Promise<void>;
  /** Adds and answers the new value; the time to live starts with the first increment. */
  increment(key: string, by: number, options: { ttlMs: number }): Promise<number>;
  /** Adds only when the sum stays within `limit`; answers the value after the call and whether it was added. */
  incrementWithin(key: string, by: number, limit: number, options: { ttlMs: number }): Promise<{ added: boolean; value: number }>;
  /** Sliding window: counts `cost` when it fits into `limit` per `windowMs`. */
  slideWindow(
    key: string,
    options: { limit: number; windowMs: number; cost?: number },
  ): Promise<{ allowed: boolean; remaining: number; resetMs: number }>;
  /**
   * Token bucket: takes up to `want` tokens (`min` at least, else none) and says how long until `min` are there. `leave`: tokens
   * that stay for others, default 0; below 0: so many are taken in advance, and later takes wait for them. The bucket refills
   * `refillPerSecond` up to `capacity`.
   */
  takeTokens(
    key: string,
    options: { capacity: number; refillPerSecond: number; want: number; min?: number; leave?: number },
  ): Promise<{ granted: number; waitMs: number }>;
  /** Lowers what is left in a bucket to `remaining` when it holds more (fed by the CRM's rate headers). */
  capTokens(key: string, options: { capacity: number; refillPerSecond: number; remaining: number }): Promise<void>;
  healthy(): boolean;
  close(): Promise<void>;
}
