import { createBoundedCache } from './bounded-cache';

test('a bounded number of entries is kept: the least recently used one is dropped first', () => {
  const cache = createBoundedCache<{ n: number }>(2);
  cache.set('a', { n: 1 });
  cache.set('b', { n: 2 });
  expect(cache.get('a')).toEqual({ n: 1 });
  cache.set('c', { n: 3 });
  cache.set('c', { n: 4 });
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([{ n: 1 }, undefined, { n: 4 }]);
});

test('an empty cache does not allocate memory for its bound', () => {
  const before = process.memoryUsage().arrayBuffers;
  const cache = createBoundedCache<object>(50_000_000);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
  expect(cache.size).toBe(0);
});
