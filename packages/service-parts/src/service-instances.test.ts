import { createMemoryKeyValue } from '@sluice/kv-memory';
import { KeyValueUnavailable, silentLogger } from '@sluice/ports';
import { createAnnouncement, readServiceInstances } from './service-instances';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const announce = (kv: ReturnType<typeof createMemoryKeyValue>, name: 'flow-runner' | 'ingest-api') =>
  createAnnouncement({ kv, name, version: '1.2.3', logger: silentLogger });

test('each instance is listed while it runs, and not after it has stopped', async () => {
  const kv = createMemoryKeyValue();
  const members = [announce(kv, 'flow-runner'), announce(kv, 'flow-runner'), announce(kv, 'ingest-api')];
  for (const member of members) member.start();
  await jest.advanceTimersByTimeAsync(60_000);
  expect((await readServiceInstances(kv)).map(({ name, version, uptime_seconds }) => [name, version, uptime_seconds])).toEqual([
    ['ingest-api', '1.2.3', 60], ['flow-runner', '1.2.3', 60], ['flow-runner', '1.2.3', 60],
  ]);
  await members[0]!.stop();
  expect((await readServiceInstances(kv)).map(({ name }) => name)).toEqual(['ingest-api', 'flow-runner']);
  await Promise.all(members.map((member) => member.stop()));
  expect(await readServiceInstances(kv)).toEqual([]);
});

test('an instance that vanished is dropped; one whose number was taken meanwhile finds another', async () => {
  const kv = createMemoryKeyValue();
  const first = announce(kv, 'flow-runner');
  first.start();
  await jest.advanceTimersByTimeAsync(1);
  await kv.set('standing:flow-runner:0', JSON.stringify({ instance: 'other', version: '2', startedAt: Date.now() }), {
    ttlMs: 12_000,
  });
  await jest.advanceTimersByTimeAsync(5_000);
  expect((await readServiceInstances(kv)).map(({ version }) => version).sort()).toEqual(['1.2.3', '2']);
  await jest.advanceTimersByTimeAsync(10_000);
  expect((await readServiceInstances(kv)).map(({ version }) => version)).toEqual(['1.2.3']);
  await first.stop();
});

test('an outage of the store does not fail the service', async () => {
  const kv = createMemoryKeyValue();
  const errors: string[] = [];
  const away = {
    ...kv,
    get: () => Promise.reject(new KeyValueUnavailable('away')),
    setIfAbsent: () => Promise.reject(new KeyValueUnavailable('away')),
  };
  const member = createAnnouncement({
    kv: away,
    name: 'ingest-api',
    version: '1',
    logger: { ...silentLogger, error: (message: string) => void errors.push(message) },
  });
  member.start();
  await jest.advanceTimersByTimeAsync(20_000);
  await member.stop();
  expect(errors).toEqual([]);
});
