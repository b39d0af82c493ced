import { createTtlCache } from './ttl-cache';

test('the least recently used answers are dropped when there are too many', async () => {
  const loaded: string[] = [];
  const cache = createTtlCache<string>({ ttlMs: 1_000, max: 2, now: () => 0 });
  const get = (key: string): Promise<unknown> => cache.get(key, () => {
    loaded.push(key);
    return Promise.resolve({ ok: true, value: key });
  });
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key);
  expect(loaded).toEqual(['a', 'b', 'c', 'b']);
});
