import { monotonicClock } from '@sluice/ports';
import { createTtlCache } from './ttl-cache';

test('the least recently used answers are dropped when there are too many', async () => {
  const loaded: string[] = [];
  const cache = createTtlCache<string>({ ttlMs: 1_000, max: 2, monotonicNow: monotonicClock(() => 0) });
  const get = (key: string): Promise<unknown> => cache.get(key, () => {
    loaded.push(key);
    return Promise.resolve({ ok: true, value: key });
  });
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key);
  expect(loaded).toEqual(['a', 'b', 'c', 'b']);
});

test('an answer that must be newer than the one it has is loaded again, once for all who ask', async () => {
  let [now, loads] = [0, 0];
  const cache = createTtlCache<number>({ ttlMs: 1_000, max: 2, monotonicNow: monotonicClock(() => now) });
  const get = async (since?: number): Promise<unknown> => {
    const answer = await cache.get('a', () => Promise.resolve({ ok: true, value: (loads += 1) }), since);
    return answer.ok && answer.value;
  };
  await get();
  now = 500;
  expect([await get(0), await get()]).toEqual([1, 1]);
  expect(await Promise.all([get(400), get(450), get()])).toEqual([2, 2, 2]);
});

test('an answer is known once it is loaded, until its time is over; a failure never is', async () => {
  let now = 0;
  const cache = createTtlCache<string>({ ttlMs: 1_000, max: 2, monotonicNow: monotonicClock(() => now) });
  const load = cache.get('a', () => Promise.resolve({ ok: true, value: 'A' }));
  expect(cache.known('a')).toBeUndefined();
  await load;
  expect(cache.known('a')).toEqual({ ok: true, value: 'A' });
  now = 1_000;
  expect(cache.known('a')).toBeUndefined();
  await cache.get('b', () => Promise.resolve({ ok: false, kind: 'transient', code: 'crm_unavailable', message: 'down' }));
  expect(cache.known('b')).toBeUndefined();
});
