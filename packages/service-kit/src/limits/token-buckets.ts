import type { MonotonicClock } from '@sluice/ports';
import { LRUCache } from 'lru-cache';

export interface TokenBucketsOptions {
  /** Tokens of a full bucket. */
  capacity: number;
  perSecond: number;
  /** Keys kept at most; beyond that the least recently used one is dropped and starts full again. */
  maxKeys: number;
  monotonicNow: MonotonicClock;
}

/** Buckets that refill with time, one per key. A key without use takes no memory. */
export interface TokenBuckets {
  /** Tokens left; negative: the debt. */
  left(key: string): number;
  isFull(key: string): boolean;
  /** Takes tokens, also more than are left: the debt is at most the size of the bucket. */
  take(key: string, tokens: number): void;
  /** Returns tokens that were taken beforehand and not used. */
  giveBack(key: string, tokens: number): void;
  /** Milliseconds until there is a token. */
  waitMs(key: string): number;
  size(): number;
}

interface Bucket {
  tokens: number;
  at: number;
}

export function createTokenBuckets({ capacity, perSecond, maxKeys, monotonicNow }: TokenBucketsOptions): TokenBuckets {
  // `maxSize` lets memory grow with use; `max` would allocate all of it at once.
  const buckets = new LRUCache<string, Bucket>({ maxSize: maxKeys, sizeCalculation: () => 1 });
  const left = (key: string): number => {
    const bucket = buckets.peek(key);
    if (bucket === undefined) return capacity;
    const tokens = bucket.tokens + (Math.max(0, monotonicNow() - bucket.at) / 1_000) * perSecond;
    if (tokens < capacity) return tokens;
    buckets.delete(key);
    return capacity;
  };
  return {
    left,
    isFull: (key) => left(key) >= capacity,
    take: (key, tokens) => {
      const rest = Math.max(-capacity, left(key) - tokens);
      buckets.set(key, { tokens: rest, at: monotonicNow() });
    },
    giveBack: (key, tokens) => {
      const bucket = buckets.peek(key);
      if (bucket) bucket.tokens = Math.min(capacity, bucket.tokens + tokens);
    },
    waitMs: (key) => Math.max(0, Math.ceil(((1 - left(key)) / perSecond) * 1_000)),
    size: () => buckets.size,
  };
}
