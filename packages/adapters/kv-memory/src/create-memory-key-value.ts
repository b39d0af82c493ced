import { type KeyValue, KeyValueUnavailable } from '@sluice/ports';
import { createExpiringMap } from './expiring-map';

export interface MemoryKeyValueOptions {
  /** Keys kept at most; beyond that the one written longest ago is deleted. Default 50,000. */
  maxKeys?: number;
  /** Milliseconds since the epoch. Default: the machine's clock. */
  now?(): number;
  /** For tests: while it answers true, every method throws KeyValueUnavailable. */
  unavailable?(): boolean;
}

interface Bucket {
  tokens: number;
  at: number;
}

const sweepMs = 30_000;

/** A KeyValue in this process's memory: for installations of one process, and as the twin in tests. */
export function createMemoryKeyValue(options: MemoryKeyValueOptions = {}): KeyValue {
  const { maxKeys = 50_000, now = Date.now } = options;
  const texts = createExpiringMap<string>(maxKeys, now);
  const buckets = createExpiringMap<Bucket>(maxKeys, now);
  const windows = createExpiringMap<{ at: number; cost: number }[]>(maxKeys, now);
  const expiries = createExpiringMap<number>(maxKeys, now);
  const maps = [texts, buckets, windows, expiries];
  const sweeper = setInterval(() => maps.forEach((map) => map.sweep()), sweepMs);
  sweeper.unref();
  let closed = false;

  const check = (): void => {
    if (closed || options.unavailable?.()) throw new KeyValueUnavailable('The key-value store is not available.');
  };
  const put = (key: string, value: string, expiresAt: number): void => {
    texts.set(key, value, expiresAt);
    expiries.set(key, expiresAt, expiresAt);
  };
  const add = (key: string, sum: number, ttlMs: number): number => {
    // The time to live starts with the first increment and is not moved by later ones.
    const expiresAt = (texts.get(key) === undefined ? undefined : expiries.get(key)) ?? now() + ttlMs;
    put(key, String(sum), expiresAt);
    return sum;
  };
  const bucketOf = (key: string, capacity: number, perSecond: number): Bucket => {
    const bucket = buckets.get(key);
    if (!bucket) return { tokens: capacity, at: now() };
    const refilled = bucket.tokens + (Math.max(0, now() - bucket.at) / 1_000) * perSecond;
    return { tokens: Math.min(capacity, refilled), at: now() };
  };
  const keepBucket = (key: string, bucket: Bucket, capacity: number, perSecond: number): void =>
    buckets.set(key, bucket, now() + untilFullMs(capacity - bucket.tokens, perSecond) + 1_000);

  return {
    get: async (key) => {
      check();
      return texts.get(key) ?? null;
    },
    getMany: async (keys) => {
      check();
      return keys.map((key) => texts.get(key) ?? null);
    },
    set: async (key, value, { ttlMs }) => {
      check();
      put(key, value, now() + ttlMs);
    },
    setIfAbsent: async (key, value, { ttlMs }) => {
      check();
      if (texts.get(key) !== undefined) return false;
      put(key, value, now() + ttlMs);
      return true;
    },
    delete: async (keys) => {
      check();
      for (const key of keys) maps.forEach((map) => map.delete(key));
    },
    increment: async (key, by, { ttlMs }) => {
      check();
      return add(key, Number(texts.get(key) ?? 0) + by, ttlMs);
    },
    incrementWithin: async (key, by, limit, { ttlMs }) => {
      check();
      const value = Number(texts.get(key) ?? 0);
      if (value + by > limit) return { added: false, value };
      return { added: true, value: add(key, value + by, ttlMs) };
    },
    slideWindow: async (key, { limit, windowMs, cost = 1 }) => {
      check();
      const time = now();
      const entries = (windows.get(key) ?? []).filter(({ at }) => at > time - windowMs);
      const used = entries.reduce((sum, entry) => sum + entry.cost, 0);
      const allowed = used + cost <= limit;
      if (allowed) entries.push({ at: time, cost });
      windows.set(key, entries, time + windowMs);
      const remaining = Math.max(0, limit - used - (allowed ? cost : 0));
      return { allowed, remaining, resetMs: entries[0] ? entries[0].at + windowMs - time : 0 };
    },
    takeTokens: async (key, { capacity, refillPerSecond, want, min = 1, leave = 0 }) => {
      check();
      const bucket = bucketOf(key, capacity, refillPerSecond);
      const available = Math.min(want, Math.floor(bucket.tokens - leave));
      const granted = available >= min ? available : 0;
      keepBucket(key, { ...bucket, tokens: bucket.tokens - granted }, capacity, refillPerSecond);
      return { granted, waitMs: granted > 0 ? 0 : untilFullMs(min + leave - bucket.tokens, refillPerSecond) };
    },
    capTokens: async (key, { capacity, refillPerSecond, remaining }) => {
      check();
      const bucket = bucketOf(key, capacity, refillPerSecond);
      keepBucket(key, { ...bucket, tokens: Math.min(bucket.tokens, remaining) }, capacity, refillPerSecond);
    },
    healthy: () => !closed && !options.unavailable?.(),
    close: async () => {
      closed = true;
      clearInterval(sweeper);
      maps.forEach((map) => map.clear());
    },
  };
}

/** Milliseconds until `missing` tokens have come. */
function untilFullMs(missing: number, perSecond: number): number {
  return perSecond > 0 ? Math.ceil((Math.max(0, missing) / perSecond) * 1_000) : Number.MAX_SAFE_INTEGER / 4;
}
