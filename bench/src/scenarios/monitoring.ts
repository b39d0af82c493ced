import { eventually } from '@sluice/testkit';
import { Client } from 'pg';
import { median } from '../report/percentile';
import type { Stack } from '../stack/stack';
import { createConnectors, organizationCaller } from '../stack/tenant';
import { atMost, type Scenario } from './scenario';

/** Outcome rows of a full run; half of them are those of one connector. */
const fullRun = 5_000_000;
const [days, connectors, rounds] = [30, 10, 20];

/** Makes rows of records that ended in the last 30 days: of a hundred, one failed, one was skipped, and one was parked. */
const rowsOfDay = `
  INSERT INTO sync_events (id, created_at, organization_id, connector_id, event_id, entity_index, run, flow_name, source_name,
    event_type, entity_name, external_id, action, step_id, status, error, error_kind, error_code, crm_id, attempts, replayable,
    config_version, completed_at, steps)
  SELECT gen_random_uuid(), at, $1, ids.all_of[1 + CASE WHEN n % 2 = 0 THEN 0 ELSE n / 2 % array_length(ids.all_of, 1) END],
    'evt_bench_' || $3 || '_' || n, 0, 'first', 'flow ' || n % 7, 'event_api', 'customer.saved', 'customer', 'c' || n % 100000,
    'upsert', 'save', status, CASE WHEN status IN ('failed', 'parked') THEN 'The CRM refused the value of field ' || n % 5 END,
    CASE WHEN status = 'failed' THEN 'permanent' WHEN status = 'parked' THEN 'transient' END,
    CASE WHEN status = 'failed' THEN 'crm_rejected' WHEN status = 'parked' THEN 'crm_unavailable' END,
    CASE WHEN status = 'completed' THEN n::text END, 1, status IN ('failed', 'parked'), 1, at + interval '200 milliseconds', '[]'
  FROM (SELECT $2::uuid[] AS all_of) ids,
    LATERAL (SELECT n, $5::timestamptz + (n * (86400000000 / $4::bigint)) * interval '1 microsecond' AS at,
      CASE n % 100 WHEN 7 THEN 'failed' WHEN 8 THEN 'skipped' WHEN 9 THEN 'parked' ELSE 'completed' END AS status
      FROM generate_series(0, $4::bigint - 1) n) made`;

async function fill(client: Client, organizationId: string, connectorIds: readonly string[], rows: number): Promise<void> {
  const perDay = Math.round(rows / days);
  for (let day = 0; day < days; day += 1) {
    const start = new Date(Date.now() - (day + 1) * 86_400_000);
    for (const at of [start, new Date(start.getTime() + 86_400_000)])
      await client.query(`SELECT sluice_add_day('sync_events', 'created_at', $1)`, [at.toISOString().slice(0, 10)]);
    await client.query(rowsOfDay, [organizationId, connectorIds, String(day), perDay, start]);
    process.stderr.write(`  ${(day + 1) * perDay} of ${rows} rows\n`);
  }
  await client.query('ANALYZE sync_events');
}

/** The monitoring routes of the connector with half of all rows, and those of the operator. */
function routesOf(id: string, anEvent: string): Record<string, string> {
  const of = `/api/connectors/${id}`;
  return {
    stats: `${of}/stats`,
    'stats/timeline, 30 days': `${of}/stats/timeline?range=30d&granularity=hourly`,
    'stats/timeseries, p95': `${of}/stats/timeseries?metric=latency_p95&range=30d&granularity=hourly`,
    'errors/summary': `${of}/errors/summary`,
    'inbound-backlog': `${of}/inbound-backlog`,
    sla: `${of}/sla`,
    'sync-jobs': `${of}/sync-jobs`,
    'sync-events, newest': `${of}/sync-events?limit=100`,
    'sync-events, failed': `${of}/sync-events?status=failed&limit=100`,
    'sync-events/summary': `${of}/sync-events/summary?include=skips_by_flow`,
    'sync-events/summary, a range': `${of}/sync-events/summary?since=${new Date(Date.now() - 20 * 86_400_000).toISOString()}`,
    'timeline of an event': `${of}/events/${anEvent}/timeline`,
    'data-plane health': '/api/health/data-plane',
  };
}

async function timed(url: string, headers: Record<string, string>): Promise<number> {
  const began = performance.now();
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return performance.now() - began;
}

async function rebuilt(stack: Stack, client: Client, rows: number): Promise<number> {
  const began = performance.now();
  const headers = { authorization: `Bearer ${stack.operatorToken}` };
  await fetch(`${stack.configApi}/operator/counts/rebuild`, { method: 'POST', headers });
  await eventually(async () => {
    const { rows: [sum] } = await client.query<{ all: string | null }>(`SELECT (SELECT coalesce(sum(records), 0) FROM record_days)
      + (SELECT coalesce(sum(records), 0) FROM record_minutes) AS all`);
    return Number(sum!.all) >= rows * 0.99;
  }, { timeoutMs: 1_800_000, everyMs: 1_000 });
  return (performance.now() - began) / 1_000;
}

/** What people and dashboards ask for, on a stock of outcome rows. */
export const monitoring: Scenario = {
  name: 'monitoring',
  words: 'how long the monitoring routes take on millions of outcome rows, and the rebuild of their counts',
  async run({ stack, scale, records }) {
    const rows = records ?? Math.round(fullRun * scale);
    const portal = await stack.crm.addPortal(0);
    const { call, token } = await organizationCaller(stack.configApi, stack.operatorToken, portal);
    const made = await createConnectors(stack.configApi, stack.operatorToken, portal, connectors, call);
    const client = new Client({ connectionString: stack.databaseUrl });
    await client.connect();
    try {
      const ids = made.map(({ id }) => id);
      const { rows: [owner] } = await client.query<{ organization_id: string }>(
        'SELECT organization_id FROM connectors WHERE id = $1', [ids[0]],
      );
      await fill(client, owner!.organization_id, ids, rows);
      const rebuildS = await rebuilt(stack, client, rows);
      const table: { route: string; 'p50 ms': number; 'max ms': number }[] = [];
      const ask = async (route: string, path: string, bearer: string): Promise<void> => {
        const headers = { authorization: `Bearer ${bearer}` };
        await timed(stack.configApi + path, headers);
        const times: number[] = [];
        for (let round = 0; round < rounds; round += 1) times.push(await timed(stack.configApi + path, headers));
        table.push({ route, 'p50 ms': Math.round(median(times)), 'max ms': Math.round(Math.max(...times)) });
      };
      for (const [route, path] of Object.entries(routesOf(ids[0]!, 'evt_bench_3_100'))) await ask(route, path, token);
      await ask('operator/overview', '/operator/overview', stack.operatorToken);
      return {
        title: `Monitoring routes on ${rows} outcome rows of ${days} days; the counts were rebuilt in ${Math.round(rebuildS)} s`,
        rows: table,
        holds: table.map(({ route, 'p50 ms': p50 }) => atMost(`median milliseconds of ${route}`, p50, 100)),
      };
    } finally {
      await client.end();
    }
  },
};
