import { allTopics, consumerGroups, eventsInbound, flowRunnerGroup } from '@sluice/contracts';
import { silentLogger } from '@sluice/ports';
import { createMemoryBreakerStore, createMemoryBus, createMemoryRunStore, createMemoryTaskStore } from '@sluice/ports/testing';
import { readOverview } from './read-overview';

const myself = { name: 'config-api', version: '1', uptime_seconds: 3 };

async function deps() {
  const bus = createMemoryBus({ now: () => 1_000 });
  await bus.ensureTopics(allTopics);
  return {
    bus,
    runStore: createMemoryRunStore(),
    tasks: createMemoryTaskStore(),
    breakers: createMemoryBreakerStore(),
    serviceInstances: async () => [{ name: 'flow-runner', version: '1', uptime_seconds: 9 }],
    myself: () => myself,
  };
}

test('reads lag and oldest events of every group; the own instance is always listed', async () => {
  const given = await deps();
  await given.bus.publish(eventsInbound.name, 2, [{ key: 'k', value: Buffer.from('x') }]);
  const overview = await readOverview(given, silentLogger);
  expect(overview.serviceInstances.map(({ name }) => name)).toEqual(['flow-runner', 'config-api']);
  expect(overview.lag).toContainEqual({ topic: eventsInbound.name, group: flowRunnerGroup, partition: 2, lag: 1 });
  expect(overview.waits).toHaveLength(consumerGroups.length);
  expect(overview.waits).toContainEqual({ topic: eventsInbound.name, group: flowRunnerGroup, since: 1_000 });
});

test('a held event older than the unread ones counts as the oldest, for the runner only', async () => {
  const given = await deps();
  await given.bus.publish(eventsInbound.name, 0, [{ key: 'k', value: Buffer.from('x') }]);
  const { waits } = await readOverview(
    { ...given, runStore: { ...given.runStore, oldestHeld: async () => ({ [eventsInbound.name]: 400 }) } },
    silentLogger,
  );
  expect(waits!.filter(({ topic }) => topic === eventsInbound.name).map(({ group, since }) => [group, since])).toEqual([
    ['flow-runner', 400],
    ['event-index', 1_000],
  ]);
});

test('a part that fails or does not answer is null after some seconds, the other parts are present', async () => {
  jest.useFakeTimers();
  try {
    const given = await deps();
    const never = new Promise<never>(() => undefined);
    const reading = readOverview(
      {
        ...given,
        bus: { ...given.bus, lag: () => never, oldestUnread: () => never },
        serviceInstances: () => Promise.reject(new Error('away')),
      },
      silentLogger,
    );
    await jest.advanceTimersByTimeAsync(3_001);
    expect(await reading).toEqual({ serviceInstances: [myself], lag: null, waits: null, held: {}, background: [], breakers: {} });
  } finally {
    jest.useRealTimers();
  }
});
