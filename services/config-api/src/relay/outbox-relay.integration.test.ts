import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runContext } from '@sluice/background/test-support';
import { silentLogger } from '@sluice/ports';
import { createLifecycle, createMetrics, generateKeyringSetting, parseSettings } from '@sluice/service-kit';
import { openParts } from '@sluice/service-parts';
import { describeWithKafka, eventually, testDatabase, testKafka } from '@sluice/testkit';
import { configApiSettings } from '../settings';
import { createOutboxRelay } from './create-outbox-relay';

/** A relay on a real Postgres and a real Kafka, with an outbox topic of its own. */
async function lab() {
  const [database, { brokers }] = await Promise.all([testDatabase(), testKafka()]);
  const dataDir = mkdtempSync(join(tmpdir(), 'outbox-relay-'));
  const topic = `outbox-${randomUUID()}`;
  const settings = parseSettings(configApiSettings, {
    DATABASE_URL: database.url,
    KAFKA_BROKERS: brokers.join(','),
    SLUICE_DATA_DIR: dataDir,
    SLUICE_ENCRYPTION_KEYS: generateKeyringSetting(),
  });
  const alarms: { topic: string; key: string; reason: string }[] = [];
  const logger = {
    ...silentLogger,
    error: (_message: string, fields: unknown) => void alarms.push(fields as (typeof alarms)[number]),
  };
  const lifecycle = createLifecycle({ name: 'outbox relay', logger: silentLogger });
  const metrics = createMetrics({ service: 'config-api' });
  const { bus, configStore } = openParts(settings, { service: 'config-api', logger: silentLogger, metrics }, lifecycle);
  const relay = createOutboxRelay({ outbox: configStore.outbox, bus, logger, metrics });
  const lease = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const settingsOfTopic = { name: topic, partitions: 1, cleanup: 'compact', retentionMs: 0 } as const;
  lifecycle.add(
    'topic',
    () => bus.ensureTopics([settingsOfTopic]),
    () => undefined,
  );
  await lifecycle.start();
  const told: string[] = [];
  const follower = await bus.follow({ topic, onMessages: (messages) => void told.push(...messages.map(({ key }) => key)) });
  return {
    topic,
    alarms,
    told,
    outbox: configStore.outbox,
    start: () => void (running = relay.worker.run(runContext({ signal: lease.signal }))),
    metricLines: async () =>
      (await metrics.render()).split('\n').filter((line) => line.startsWith('sluice_outbox_set_aside_total')),
    add: async (key: string, bytes: number, count = 1) =>
      database.query(
        `INSERT INTO outbox (topic, key, payload)
         SELECT $1, $2 || CASE WHEN $4 = 1 THEN '' ELSE '-' || n END, json_build_object('text', repeat('x', $3::int))
         FROM generate_series(1, $4::int) n ORDER BY n`,
        [topic, key, bytes, count],
      ),
    stop: async () => {
      lease.abort();
      await running;
      await follower.stop();
      await lifecycle.stop('test');
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

describeWithKafka('the relay of the outbox', () => {
  it('sets aside a message that the broker refuses as too large, and publishes the others in order', async () => {
    const { topic, alarms, told, outbox, start, metricLines, add, stop } = await lab();
    try {
      await add('before', 100);
      await add('oversized', 1_300_000);
      await add('large', 30_000, 150);
      await add('after', 100);
      start();
      await eventually(async () => expect(await outbox.backlog()).toEqual({ waiting: 0, oldestMs: 0, setAside: 1 }), {
        timeoutMs: 30_000,
      });
      await eventually(() => expect(told.at(-1)).toBe('after'));
      expect(told).toEqual(['before', ...Array.from({ length: 150 }, (_, index) => `large-${index + 1}`), 'after']);
      expect(alarms).toEqual([{ topic, key: 'oversized', reason: expect.stringContaining('TOO_LARGE') }]);
      expect(await metricLines()).toEqual([`sluice_outbox_set_aside_total{topic="${topic}",service="config-api"} 1`]);
      expect(await outbox.setAside(10)).toMatchObject([
        { topic, key: 'oversized', reason: expect.stringContaining('TOO_LARGE') },
      ]);

      await add('oversized', 100);
      await eventually(async () => expect(await outbox.backlog()).toEqual({ waiting: 0, oldestMs: 0, setAside: 0 }));
      await eventually(() => expect(told.at(-1)).toBe('oversized'));
    } finally {
      await stop();
    }
  });
});
