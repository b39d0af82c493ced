import { encodeEnvelope, eventsInbound, eventsOutbound, eventIndexGroup } from '@sluice/contracts';
import { type IntakeOrigin, type IntakeRecord, planUnits } from '@sluice/event-intake';
import { type EventIndex, type IndexRow, monotonicClock, silentLogger, StoreUnavailable } from '@sluice/ports';
import { createMemoryBus, createMemoryEventIndex, createMemoryLog } from '@sluice/ports/testing';
import { createMetrics, ReadingSupervisor } from '@sluice/service-kit';
import { aConnector } from '@sluice/connector-feed/testing';
import { eventually } from '../test-support/start-ingest-api';
import { createIndexConsumer, type IndexConsumer } from './index-consumer';

const open = new Set<IndexConsumer>();
afterEach(async () => {
  await Promise.all([...open].map((consumer) => consumer.stop()));
  open.clear();
});

const eventApi: IntakeOrigin = { source: { name: 'event_api', type: 'event_api' }, run: 'first', kind: 'live' };
const topics = [eventsInbound.name, eventsOutbound.name];

function kept(consumer: IndexConsumer): IndexConsumer {
  open.add(consumer);
  return consumer;
}

function lab() {
  const log = createMemoryLog();
  const bus = createMemoryBus({ log });
  const index = createMemoryEventIndex();
  const writes: number[] = [];
  const trouble: { error?: Error } = {};
  const write: EventIndex['write'] = async (rows: readonly IndexRow[], ranges) => {
    if (trouble.error) throw trouble.error;
    if (rows.length > 0) writes.push(rows.length);
    return index.write(rows, ranges);
  };
  let time = 0;
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(() => { time += ms; resolve(); }, 1));
  const metrics = createMetrics({ service: 'test' });
  const logger = silentLogger;
  const monotonicNow = monotonicClock(() => time);
  const reading = { waitsMs: [1_000, 5_000], deadAfterMs: 60_000 };
  const supervisor = new ReadingSupervisor({ ...reading, logger, metrics, monotonicNow, sleep });
  const parts = { bus, index: { write, position: index.position }, topics, supervisor, logger, metrics, sleep };
  const consumer = (): IndexConsumer => kept(createIndexConsumer(parts));
  const publish = async (eventId: string, entities: number, topic = eventsInbound.name): Promise<void> => {
    const records = Array.from({ length: entities }, (_, id): IntakeRecord => (
      { eventType: 'contact_synced', externalId: String(id), entityType: 'contact', recordKey: null, payload: { id } }
    ));
    const event = {
      eventId,
      aliases: ['evt_alias'],
      acceptedAt: 1_800_000_000_000,
      requestId: 'r',
      timestamp: null,
      storeId: null,
      records,
    };
    for (const { partition, envelope } of planUnits(event, eventApi, aConnector({ width: 8 }), 24)) {
      await bus.publish(topic, partition, [{ key: envelope.lane, value: encodeEnvelope(envelope) }]);
    }
  };
  const behind = async (): Promise<bigint> =>
    (await Promise.all(topics.map((topic) => bus.lag(topic, eventIndexGroup))))
      .flat()
      .reduce((sum, { committed, end }) => sum + end - committed, 0n);
  const ready = (): Promise<void> => bus.ensureTopics([eventsInbound, eventsOutbound]);
  return { bus, log, index, writes, trouble, supervisor, consumer, publish, behind, ready };
}

test('writes a row per unit of both directions, from the start of the log, and commits', async () => {
  const { consumer, publish, index, behind, ready } = lab();
  await ready();
  await publish('evt_1', 30);
  await publish('evt_2', 2, eventsOutbound.name);
  const reader = consumer();
  expect(reader.ready()).toMatchObject({ ok: false });
  await reader.start();
  await eventually('all rows', () => index.entries().length === 32);
  await eventually('all committed', async () => (await behind()) === 0n);
  expect(index.entries().find(({ eventId, entityIndex }) => eventId === 'evt_1' && entityIndex === 3)).toEqual({
    eventId: 'evt_1',
    entityIndex: 3,
    entitiesTotal: 30,
    organizationId: aConnector().organization_id,
    connectorId: aConnector().connector_id,
    sourceName: 'event_api',
    eventType: 'contact_synced',
    externalId: '3',
    lane: expect.stringContaining(':contact:3'),
    kind: 'live',
    run: 'first',
    acceptedAt: '2027-01-15T08:00:00.000Z',
    aliases: ['evt_alias'],
    payload: Buffer.from('{"id":3}'),
    payloadRef: null,
    payloadBytes: null,
    sourceType: null,
    timestamp: null,
    storeId: null,
    orderingEpoch: null,
    importRow: null,
  });
  expect(reader.ready()).toEqual({ ok: true });
  await reader.stop();
});

test('waits while the database is away, logs it, commits nothing unwritten, and catches up', async () => {
  const { consumer, publish, index, behind, ready, trouble } = lab();
  await ready();
  trouble.error = new StoreUnavailable('down');
  const reader = consumer();
  await reader.start();
  await publish('evt_1', 10);
  await eventually('it waits', () => reader.ready().reason === 'the event index waits for the database');
  expect(reader.ready().ok).toBe(true);
  expect(await behind()).toBe(10n);
  trouble.error = undefined;
  await eventually('all rows', () => index.entries().length === 10);
  await eventually('all committed', async () => (await behind()) === 0n);
  expect(reader.ready()).toEqual({ ok: true });
  await reader.stop();
});

test('a write that fails for another reason is repeated, and ends readiness, later liveness', async () => {
  const { consumer, publish, ready, trouble, index, supervisor } = lab();
  await ready();
  trouble.error = new Error('a bug');
  const reader = consumer();
  await reader.start();
  await publish('evt_1', 1);
  await eventually('not ready', () => !supervisor.ready().ok);
  expect(supervisor.ready().reason).toMatch(/^reading events\.inbound \(event-index\) has failed for \d+ s$/);
  await eventually('not alive', () => !supervisor.alive().ok);
  trouble.error = undefined;
  await eventually('the row', () => index.entries().length === 1);
  await eventually('in service again', () => supervisor.ready().ok && supervisor.alive().ok);
  await reader.stop();
});

test('a stop during an outage ends, and the next reader takes up what was not written', async () => {
  const { consumer, publish, ready, trouble, index } = lab();
  await ready();
  trouble.error = new StoreUnavailable('down');
  const first = consumer();
  await first.start();
  await publish('evt_1', 5);
  await eventually('it waits', () => first.ready().reason !== undefined);
  await first.stop();
  trouble.error = undefined;
  const second = consumer();
  await second.start();
  await eventually('all rows', () => index.entries().length === 5);
  await second.stop();
});

test('a message that is no envelope is skipped; many small deliveries share statements', async () => {
  const { bus, consumer, publish, ready, index, writes } = lab();
  await ready();
  await bus.publish(eventsInbound.name, 0, [{ key: 'k', value: Buffer.from('{}') }, { key: 'k', value: Buffer.from('no json') }]);
  await publish('evt_1', 200);
  const reader = consumer();
  await reader.start();
  await eventually('all rows', () => index.entries().length === 200);
  expect(writes.length).toBeLessThan(8);
  await reader.stop();
});

describe('a database that was restored to an earlier state', () => {
  const restored = async () => {
    const made = lab();
    await made.ready();
    await made.publish('evt_1', 5);
    const reader = made.consumer();
    await reader.start();
    await eventually('the first rows', () => made.index.entries().length === 5);
    const putBack = made.index.backup();
    await made.publish('evt_2', 10);
    await eventually('all rows', () => made.index.entries().length === 15);
    await eventually('all committed', async () => (await made.behind()) === 0n);
    return { ...made, reader, putBack };
  };

  test('is given its rows again by the next reader', async () => {
    const { consumer, reader, putBack, index } = await restored();
    await reader.stop();
    putBack();
    const next = consumer();
    await next.start();
    await eventually('all rows again', () => index.entries().length === 15);
    await next.stop();
  });

  test('is given its rows again by a reader that goes on, also where nothing new comes', async () => {
    const { reader, putBack, index } = await restored();
    putBack();
    expect(index.entries()).toHaveLength(5);
    await eventually('all rows again', () => index.entries().length === 15);
    await reader.stop();
  });

  test('is given its rows again before anything newer of their partitions', async () => {
    const { consumer, reader, publish, putBack, index } = await restored();
    await reader.stop();
    putBack();
    await publish('evt_3', 10);
    const next = consumer();
    await next.start();
    await eventually('all rows', () => index.entries().length === 25);
    await next.stop();
  });
});
