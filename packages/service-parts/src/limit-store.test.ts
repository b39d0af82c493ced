import { createMemoryKeyValue } from '@sluice/kv-memory';
import { createMetrics } from '@sluice/service-kit';
import { createLimitStore } from './limit-store';

function lab() {
  const state = { down: false, now: 1_000_000 };
  const metrics = createMetrics({ service: 'test' });
  const now = (): number => state.now;
  const shared = createMemoryKeyValue({ now, unavailable: () => state.down });
  return { state, metrics, store: createLimitStore({ shared, metrics, now }) };
}

test('counts in this process while the shared store is away, and counts how often', async () => {
  const { state, metrics, store } = lab();
  const take = async (): Promise<boolean> => (await store.slideWindow('k', { limit: 2, windowMs: 1_000 })).allowed;
  expect(await take()).toBe(true);
  state.down = true;
  expect([await take(), await take(), await take()]).toEqual([true, true, false]);
  state.now += 1_001;
  expect(await take()).toBe(true);
  state.down = false;
  expect(await take()).toBe(true);
  expect(await metrics.render()).toMatch(/sluice_limits_counted_locally_total\{service="test"\} 4/);
});

test('every operation has its stand-in', async () => {
  const { state, store } = lab();
  state.down = true;
  expect(await store.increment('n', 2, { ttlMs: 1_000 })).toBe(2);
  await store.set('b', 'x', { ttlMs: 1_000 });
  expect(await store.getMany(['n', 'b', 'c'])).toEqual(['2', 'x', null]);
  await store.delete(['b']);
  expect(await store.getMany(['b'])).toEqual([null]);
});

test('a bug is no outage', async () => {
  const broken = async (): Promise<never> => {
    throw new Error('a bug');
  };
  const store = createLimitStore({
    shared: { ...createMemoryKeyValue(), increment: broken },
    metrics: createMetrics({ service: 'test' }),
  });
  await expect(store.increment('n', 1, { ttlMs: 1 })).rejects.toThrow('a bug');
});
