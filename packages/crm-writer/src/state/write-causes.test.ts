import { createMemoryKeyValue } from '@sluice/kv-memory';
import { KeyValueUnavailable } from '@sluice/ports';
import { createActivity } from '../batching/activity';
import { createWriteCauses, type WriteCauses } from './write-causes';

const key = { portalId: '1', objectType: 'contacts', crmId: '7' };

/** Runs work as a unit does that nothing else waits for. */
function causesOn(kv: Parameters<typeof createWriteCauses>[0]): WriteCauses {
  const activity = createActivity();
  const causes = createWriteCauses(kv, { ttlMs: 60_000, activity });
  const active = async <T>(work: () => Promise<T>): Promise<T> => {
    activity.enter();
    try {
      return await work();
    } finally {
      activity.leave();
    }
  };
  return { keep: (...given) => active(() => causes.keep(...given)), hopsOf: (...given) => active(() => causes.hopsOf(...given)) };
}

test('a change with a value that an event wrote has one link more than that event; another change has none', async () => {
  const causes = causesOn(createMemoryKeyValue());
  await causes.keep(key, { eventId: 'a', hops: 3 }, { city: 'Rome', email: 'ADA@x.example' });
  expect(await causes.hopsOf(key, 'b', { city: 'Rome', score: '7' })).toBe(4);
  expect(await causes.hopsOf(key, 'b', { email: 'ada@x.example' })).toBe(4);
  expect(await causes.hopsOf(key, 'b', { city: 'Oslo' })).toBe(0);
  expect(await causes.hopsOf(key, 'b', null)).toBe(0);
  expect(await causes.hopsOf({ ...key, portalId: '2' }, 'b', { city: 'Rome' })).toBe(0);
});

test('writes of several events are remembered: the last one that fits counts, and none of the event itself', async () => {
  const causes = causesOn(createMemoryKeyValue());
  await causes.keep(key, { eventId: 'a', hops: 1 }, { city: 'Rome' });
  await causes.keep(key, { eventId: 'b', hops: 4 }, { city: 'Oslo' });
  await causes.keep(key, { eventId: 'c', hops: 6 }, { city: 'Rome' });
  expect(await causes.hopsOf(key, 'd', { city: 'Oslo' })).toBe(5);
  expect(await causes.hopsOf(key, 'd', { city: 'Rome' })).toBe(7);
  expect(await causes.hopsOf(key, 'c', { city: 'Rome' })).toBe(2);
  for (let at = 0; at < 8; at += 1) await causes.keep(key, { eventId: 'e', hops: 0 }, { phone: '1' });
  expect(await causes.hopsOf(key, 'd', { city: 'Rome' })).toBe(0);
});

test('a deletion is caused by a deletion', async () => {
  const causes = causesOn(createMemoryKeyValue());
  await causes.keep(key, { eventId: 'a', hops: 2 }, null);
  expect(await causes.hopsOf(key, 'b', null)).toBe(3);
  expect(await causes.hopsOf(key, 'b', { city: 'Rome' })).toBe(0);
});

test('without the key-value store every chain begins anew', async () => {
  const away = () => Promise.reject(new KeyValueUnavailable('away'));
  const causes = causesOn({ set: away, getMany: away });
  await causes.keep(key, { eventId: 'a', hops: 2 }, { city: 'Rome' });
  expect(await causes.hopsOf(key, 'b', { city: 'Rome' })).toBe(0);
});
