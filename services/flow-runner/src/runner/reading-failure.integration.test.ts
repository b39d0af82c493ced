import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectorLane, encodeEnvelope, eventsInbound, type EventEnvelope } from '@sluice/contracts';
import { silentLogger } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { generateKeyringSetting, parseSettings } from '@sluice/service-kit';
import { openParts } from '@sluice/service-parts';
import { testContext } from '@sluice/service-parts/test-support';
import { testDatabase } from '@sluice/testkit';
import { composeFlowRunner } from '../compose';
import { flowRunnerSettings } from '../settings';
import { labConnector, order, runnerLab, shopConfig } from '../test-support/runner-lab';

/** A flow runner on the embedded bus and a real Postgres, as `npm start` has it. */
async function onPostgres() {
  const database = await testDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'flow-runner-'));
  const settings = parseSettings(flowRunnerSettings, {
    DATABASE_URL: database.url,
    SLUICE_DATA_DIR: dataDir,
    SLUICE_ENCRYPTION_KEYS: generateKeyringSetting(),
    SLUICE_READING_WAITS: '0.1,0.2',
    SLUICE_READING_DEAD_AFTER: '0.5',
  });
  const context = testContext('flow-runner', settings);
  const { lifecycle, health, metrics } = context;
  const parts = openParts(settings, { service: 'flow-runner', logger: silentLogger, metrics, installation: 'test' }, lifecycle);
  composeFlowRunner(parts, { ...context, shared: { installation: 'test', publicUrl: 'http://sluice.test', services: () => [] } });
  await lifecycle.start();
  return {
    parts,
    health,
    metrics,
    database,
    stop: async () => {
      await lifecycle.stop('test');
      await database.drop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

const connectorOfNobody = '33333333-3333-4333-8333-333333333333';

/** An event of a connector that does not exist: it ends with an outcome, whatever the CRM does. */
function anEvent(id: string): EventEnvelope {
  const at = new Date().toISOString();
  return {
    v: 1,
    event_id: id,
    entity_index: 0,
    entities_total: 1,
    organization_id: '22222222-2222-4222-8222-222222222222',
    connector_id: connectorOfNobody,
    revision: 1,
    source_name: 'event_api',
    source_type: 'event_api',
    event_type: 'order.created',
    external_id: null,
    timestamp: at,
    store_id: null,
    accepted_at: at,
    lane: connectorLane(connectorOfNobody),
    run: 'first',
    kind: 'live',
    payload: {},
    request_id: 'req',
  };
}

test('after a database error that is no outage a topic is read again; readiness, liveness and a metric show it', async () => {
  const { parts, health, metrics, database, stop } = await onPostgres();
  try {
    const send = async (event: EventEnvelope): Promise<void> => {
      const message = { key: event.lane, value: encodeEnvelope(event) };
      expect(await parts.bus.publish(eventsInbound.name, 0, [message])).toEqual({ ok: true });
    };
    const reason = async (): Promise<string> => (await health.ready()).checks['reading']?.reason ?? '';
    const ended = async ({ event_id: eventId, accepted_at: acceptedAt }: EventEnvelope): Promise<boolean> =>
      (await parts.runStore.finished([{ eventId, entityIndex: 0, run: 'first', acceptedAt }])).size === 1;
    const [before, meanwhile, after] = [anEvent('evt_before'), anEvent('evt_meanwhile'), anEvent('evt_after')];
    await send(before);
    await until('the first event ends', () => ended(before));

    await database.query('ALTER TABLE held_events RENAME TO held_events_away');
    await send(meanwhile);
    const expected = 'reading events.inbound, partition 0 (flow-runner) has failed';
    await until('readiness names the topic', async () => (await reason()).includes(expected));
    await until('liveness ends', async () => (await health.live()).status === 'failing');
    const series = 'topic="events.inbound",reader="flow-runner",service="flow-runner"';
    expect(await metrics.render()).toMatch(new RegExp(`sluice_reading_failures_total\\{${series}\\} [1-9]`));

    await database.query('ALTER TABLE held_events_away RENAME TO held_events');
    await until('what came meanwhile ends', () => ended(meanwhile));
    await send(after);
    await until('what comes afterwards ends', () => ended(after));
    expect(await health.live()).toEqual({ status: 'ok', checks: { reading: { ok: true } } });
    expect((await health.ready()).checks['flow runner']).toEqual({ ok: true });
  } finally {
    await stop();
  }
});

test('events run after the store failed once with an error of each class, without leaving the group', async () => {
  const lab = await runnerLab(shopConfig, {}, { readingWaitsMs: [20, 40] });
  try {
    await lab.addRunner();
    const { finished } = lab.store;
    const codes = ['58030', '28000', '28P01', '42P01', 'XX000', '22P02', '23505', '0A000', 'P0001'];
    for (const [index, code] of codes.entries()) {
      let failures = 1;
      const failure = Object.assign(new Error(`SQLSTATE ${code}`), { code });
      lab.store.finished = (units) => (failures-- > 0 ? Promise.reject(failure) : finished(units));
      await lab.send([order(`evt_${index}`, `N${index}`, 'c')]);
      await until(`the event after ${code} ends`, () => lab.rows().length === index + 1);
      expect(failures).toBeLessThan(0);
    }
    expect(lab.rows().every(({ status, connectorId }) => status === 'completed' && connectorId === labConnector)).toBe(true);
    expect(lab.joins()).toBe(1);
  } finally {
    await lab.stop();
  }
});

test('a subscription that the bus has ended is opened again and continues', async () => {
  const lab = await runnerLab(shopConfig, {}, { readingWaitsMs: [20] });
  try {
    const runner = await lab.addRunner();
    await lab.send([order('evt_1', 'N1', 'c')]);
    await until('the first event ends', () => lab.rows().length === 1);
    lab.endSubscriptions(new Error('the bus gave up'));
    await lab.send([order('evt_2', 'N2', 'c')]);
    await until('the second event ends', () => lab.rows().length === 2);
    expect(lab.joins()).toBe(2);
    await until('ready again', () => lab.reads() && runner.ready().ok);
  } finally {
    await lab.stop();
  }
});
