import { allTopics, connectorChanges, type ConnectorChange } from '@sluice/contracts';
import { monotonicClock, silentLogger } from '@sluice/ports';
import { createMemoryBus, until } from '@sluice/ports/testing';
import { createMetrics, ReadingSupervisor } from '@sluice/service-kit';
import { createConnectorDirectory } from './connector-directory';
import { followConnectors } from './follow-connectors';
import { aConnector, connectorId } from './testing';

/** A feed over the bus twin; `failures` are thrown at opening the topic, one each. */
async function lab() {
  const failures: Error[] = [];
  const readers: ((error: Error) => void)[] = [];
  const bus = createMemoryBus();
  await bus.ensureTopics(allTopics);
  const skipped: unknown[] = [];
  const logger = { ...silentLogger, error: (_message: string, fields?: object) => void skipped.push(fields) };
  const directory = createConnectorDirectory({ reader: { connector: () => Promise.resolve(null) }, keepKeys: false });
  const supervisor = new ReadingSupervisor({
    waitsMs: [1], deadAfterMs: 60_000, metrics: createMetrics({ service: 'test' }), logger: silentLogger,
    monotonicNow: monotonicClock(() => performance.now()), sleep: () => new Promise((resolve) => { setImmediate(resolve); }),
  });
  const feed = followConnectors({
    directory, supervisor, logger,
    bus: {
      follow: async (options) => {
        const failure = failures.shift();
        if (failure) throw failure;
        const follower = await bus.follow(options);
        return { ...follower, failed: new Promise((resolve) => { readers.push(resolve); }) };
      },
    },
  });
  const send = (value: Buffer | null) => bus.publish(connectorChanges.name, 0, [{ key: connectorId, value }]);
  const announce = (change: ConnectorChange) => send(Buffer.from(JSON.stringify(change)));
  return {
    directory,
    feed,
    skipped,
    send,
    announce,
    failures,
    opened: () => readers.length,
    breakReader: (error: Error) => readers.at(-1)!(error),
  };
}

test('at the end of start all that the topic held is known, and later changes follow', async () => {
  const { directory, feed, announce } = await lab();
  await announce(aConnector({ revision: 1 }));
  await announce(aConnector({ revision: 2 }));
  expect(feed.ready()).toMatchObject({ ok: false });
  await feed.start();
  expect([directory.get(connectorId)?.revision, feed.ready()]).toEqual([2, { ok: true }]);
  await announce(aConnector({ revision: 3 }));
  await until('the change', () => directory.get(connectorId)?.revision === 3);
  await feed.stop();
});

test('a tombstone makes the connector forgotten', async () => {
  const { directory, feed, announce, send } = await lab();
  await announce(aConnector({ revision: 2 }));
  await feed.start();
  await send(null);
  await until('the tombstone', () => directory.get(connectorId) === undefined);
  await feed.stop();
});

test('a message that cannot be read is logged and skipped; what was known stays', async () => {
  const { directory, feed, announce, send, skipped } = await lab();
  await announce(aConnector({ revision: 2 }));
  await send(Buffer.from('no JSON'));
  await feed.start();
  expect([directory.get(connectorId)?.revision, skipped]).toMatchObject([2, [{ connector_id: connectorId, offset: '1' }]]);
  await announce(aConnector({ revision: 3 }));
  await until('the change', () => directory.get(connectorId)?.revision === 3);
  await feed.stop();
});

test('a reader that fails is opened anew, also when the first try fails', async () => {
  const { directory, feed, announce, opened, breakReader, failures } = await lab();
  await feed.start();
  failures.push(new Error('no leader'));
  breakReader(new Error('the connection broke'));
  await until('a new reader', () => opened() === 2);
  await announce(aConnector({ revision: 2 }));
  await until('the change', () => directory.get(connectorId)?.revision === 2);
  await feed.stop();
});
