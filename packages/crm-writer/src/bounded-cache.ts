import { LRUCache } from 'lru-cache';

/**
 * At most `most` entries; those not used for longest go first. Its room grows with what is in it: a bound given as `max` is
 * allocated at once, for a cache of 20,000 entries some hundred kilobytes.
 */
export function createBoundedCache<V extends object>(most: number): LRUCache<string, V> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}
