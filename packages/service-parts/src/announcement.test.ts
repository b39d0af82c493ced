import { createMemoryKeyValue } from '@sluice/kv-memory';
import { KeyValueUnavailable, silentLogger } from '@sluice/ports';
import { Announcement, type AnnouncementOptions } from './announcement';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const announce = (kv: AnnouncementOptions['kv'], name: string, callsCrm = true): Announcement => {
  const announcement = new Announcement({ kv, name, version: '1.2.3', callsCrm, logger: silentLogger });
  announcement.start();
  return announcement;
};
const aWhile = (ms = 6_000) => jest.advanceTimersByTimeAsync(ms);

test('each instance is listed while it runs, and not after it has stopped', async () => {
  const kv = createMemoryKeyValue();
  const members = ['flow-runner', 'flow-runner', 'ingest-api'].map((name) => announce(kv, name));
  await aWhile(60_000);
  expect((await members[0]!.all()).map(({ name, version, uptime_seconds }) => [name, version, uptime_seconds])).toEqual([
    ['flow-runner', '1.2.3', 60], ['flow-runner', '1.2.3', 60], ['ingest-api', '1.2.3', 60],
  ]);
  await members[0]!.stop();
  expect((await members[1]!.all()).map(({ name }) => name)).toEqual(['flow-runner', 'ingest-api']);
  await Promise.all(members.map((member) => member.stop()));
  expect(await members[1]!.all()).toEqual([]);
});

test('a service that nobody knew before is listed too', async () => {
  const kv = createMemoryKeyValue();
  const first = announce(kv, 'a-service-of-tomorrow');
  await aWhile();
  expect((await announce(kv, 'config-api').all()).map(({ name }) => name)).toEqual(['a-service-of-tomorrow']);
  await first.stop();
});

test('an instance that vanished is dropped; one whose number was taken meanwhile finds another', async () => {
  const kv = createMemoryKeyValue();
  const first = announce(kv, 'flow-runner');
  await aWhile(1);
  const other = { name: 'flow-runner', instance: 'other', version: '2', startedAt: Date.now(), callsCrm: true };
  await kv.set('instance:0', JSON.stringify(other), { ttlMs: 12_000 });
  await aWhile(5_000);
  expect((await first.all()).map(({ version }) => version).sort()).toEqual(['1.2.3', '2']);
  await aWhile(10_000);
  expect((await first.all()).map(({ version }) => version)).toEqual(['1.2.3']);
  await first.stop();
});

describe('the number of processes that call the CRM', () => {
  test('is that of the announced ones, whatever their service, and stays as it was while the store is away', async () => {
    let away = false;
    const kv = createMemoryKeyValue({ unavailable: () => away });
    const mine = announce(kv, 'config-api');
    const others = [announce(kv, 'flow-runner'), announce(kv, 'flow-runner'), announce(kv, 'plugin-deployer', false)];
    await aWhile();
    expect(mine.crmCallers()).toBe(3);
    away = true;
    await aWhile(60_000);
    expect(mine.crmCallers()).toBe(3);
    away = false;
    await aWhile(1_000);
    await others[0]!.stop();
    await aWhile(5_000);
    expect(mine.crmCallers()).toBe(3);
    await aWhile(20_000);
    expect(mine.crmCallers()).toBe(2);
  });

  test('is assumed to be large when the store was away since the start', async () => {
    const mine = announce(createMemoryKeyValue({ unavailable: () => true }), 'config-api');
    await aWhile();
    expect(mine.crmCallers()).toBe(8);
  });
});

test('an outage of the store does not fail the service', async () => {
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (message: string) => void errors.push(message) };
  const kv = createMemoryKeyValue({ unavailable: () => true });
  const member = new Announcement({ kv, name: 'ingest-api', version: '1', callsCrm: false, logger });
  member.start();
  await aWhile(20_000);
  await expect(member.all()).rejects.toThrow(KeyValueUnavailable);
  await member.stop();
  expect(errors).toEqual([]);
});
