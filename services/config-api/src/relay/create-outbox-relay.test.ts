import { runContext } from '@sluice/background/test-support';
import { type EventBus, type OutboxMessage, type OutboxStore, silentLogger } from '@sluice/ports';
import { createMemoryBus, until } from '@sluice/ports/testing';
import { createMetrics } from '@sluice/service-kit';
import { createOutboxRelay } from './create-outbox-relay';

const message = (id: number, topic = 't'): OutboxMessage => ({ id: BigInt(id), topic, key: `k${id}`, payload: { id } });

/** An outbox in memory: gives the oldest, forgets them once published. */
function outboxOf(waiting: OutboxMessage[]): OutboxStore {
  return {
    drain: async (limit, publish) => {
      const some = waiting.slice(0, limit);
      if (some.length === 0) return 0;
      const { published } = await publish(some);
      waiting.splice(0, waiting.length, ...waiting.filter(({ id }) => !published.includes(id)));
      return published.length;
    },
    backlog: async () => ({ waiting: waiting.length, oldestMs: 0, setAside: 0 }),
    newestWaiting: async () => waiting.at(-1)?.id ?? null,
    setAside: async () => [],
  };
}

async function logged(bus: EventBus): Promise<string[]> {
  const keys: string[] = [];
  const follower = await bus.follow({ topic: 't', onMessages: (messages) => void keys.push(...messages.map(({ key }) => key)) });
  await follower.caughtUp;
  await follower.stop();
  return keys;
}

async function relayUntilEmpty(waiting: OutboxMessage[], bus: EventBus): Promise<void> {
  const metrics = createMetrics({ service: 'config-api' });
  const relay = createOutboxRelay({ outbox: outboxOf(waiting), bus, logger: silentLogger, metrics });
  const lease = new AbortController();
  const running = relay.worker.run(runContext({ signal: lease.signal }));
  try {
    await until('the outbox is empty', () => waiting.length === 0);
    expect(relay.sinceLastSuccessMs()).toBeGreaterThan(0);
  } finally {
    lease.abort();
    await running;
  }
  expect(relay.sinceLastSuccessMs()).toBe(0);
}

test('publishes everything in order, over several rounds', async () => {
  const bus = createMemoryBus();
  await bus.ensureTopics([{ name: 't', partitions: 1, cleanup: 'compact', retentionMs: 0 }]);
  const waiting = Array.from({ length: 450 }, (_, n) => message(n));
  const expected = waiting.map(({ key }) => key);
  await relayUntilEmpty(waiting, bus);
  expect(await logged(bus)).toEqual(expected);
});

test('keeps messages that the broker did not accept, and repeats them', async () => {
  let faults = 2;
  const bus = createMemoryBus({ fault: () => (faults-- > 0 ? 'refused' : undefined) });
  await bus.ensureTopics([{ name: 't', partitions: 1, cleanup: 'compact', retentionMs: 0 }]);
  const waiting = [message(1), message(2)];
  await relayUntilEmpty(waiting, bus);
  expect((await logged(bus)).sort()).toEqual(['k1', 'k2']);
});
