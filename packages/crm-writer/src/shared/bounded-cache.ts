import { LRUCache } from 'lru-cache';

/**
 * At most `most` entries; the least recently used are dropped first. Its memory grows with its contents: a bound given as `max`
 * would be allocated at once, some hundred kilobytes for 20,000 entries.
 */
export function createBoundedCache<V extends object>(most: number): LRUCache<string, V> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}
