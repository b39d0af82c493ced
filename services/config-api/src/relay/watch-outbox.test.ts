import type { OutboxBacklog } from '@sluice/ports';
import { createHealth, createMetrics } from '@sluice/service-kit';
import { watchOutbox } from './watch-outbox';

async function watched(backlog: OutboxBacklog, sinceLastSuccessMs = 0) {
  const [health, metrics] = [createHealth(), createMetrics({ service: 'config-api' })];
  watchOutbox(
    { outbox: { backlog: async () => backlog }, relay: { sinceLastSuccessMs: () => sinceLastSuccessMs }, staleMs: 120_000 },
    health,
    metrics,
  );
  const lines = (await metrics.render()).split('\n').filter((line) => line.startsWith('sluice_outbox'));
  return { report: await health.ready(), lines };
}

test('is ready while changes are published, and reports how many wait and for how long', async () => {
  const { report, lines } = await watched({ waiting: 3, oldestMs: 2_500, setAside: 0 });
  expect(report).toEqual({
    status: 'ok',
    checks: { store: { ok: true, reason: '3 changes wait to be published' }, outbox: { ok: true } },
  });
  expect(lines).toEqual([
    'sluice_outbox_waiting{service="config-api"} 3',
    'sluice_outbox_oldest_seconds{service="config-api"} 2.5',
    'sluice_outbox_set_aside{service="config-api"} 0',
  ]);
});

test('is not ready once a change waits too long, or the relay completes no round', async () => {
  expect((await watched({ waiting: 1, oldestMs: 120_000, setAside: 0 })).report.checks['outbox']).toEqual({
    ok: false,
    reason: 'a change has waited 120 s to be published',
  });
  expect((await watched({ waiting: 1, oldestMs: 0, setAside: 0 }, 60_000)).report.checks['outbox']).toMatchObject({
    ok: false,
  });
});

test('reports changes that were set aside, and stays ready', async () => {
  const { report, lines } = await watched({ waiting: 0, oldestMs: 0, setAside: 2 });
  expect(report).toMatchObject({
    status: 'ok',
    checks: { store: { reason: '0 changes wait to be published, 2 were set aside' } },
  });
  expect(lines).toContain('sluice_outbox_set_aside{service="config-api"} 2');
});
