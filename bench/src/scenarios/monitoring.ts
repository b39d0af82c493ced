import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@sluice/testkit';
import { Client } from 'pg';
import { fillOutcomes } from '../outcomes/fill-outcomes';
import { planOf, statementsOf } from '../outcomes/statement-log';
import { median } from '../report/percentile';
import { resultsDir } from '../report/results-dir';
import type { Stack } from '../stack/stack';
import { createConnectors, organizationCaller } from '../stack/tenant';
import { atMost, type Scenario } from './scenario';

/** Outcome rows of a full run. */
const fullRun = 5_000_000;
const [days, connectors, rounds] = [30, 10, 20];
/** Rows that a statement may read, whatever the stock: a backlog looks at 50,000 rows of the index, each in two more tables. */
const mostRead = 200_000;

/** The monitoring routes of the connector with half of all rows. */
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
    'sync-events, a rare status': `${of}/sync-events?status=quarantined&limit=100`,
    'sync-events, an event': `${of}/sync-events?event_id=${anEvent}`,
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
    return Number(sum!.all) >= rows * 0.9;
  }, { timeoutMs: 3_600_000, everyMs: 1_000 });
  return (performance.now() - began) / 1_000;
}

/** What one route costs. */
interface RouteCost {
  route: string;
  'p50 ms': number;
  'max ms': number;
  'slowest statement ms': number;
  'rows it reads': number;
}

/** Measures routes, and keeps the plan of the slowest statement of each. */
class RouteMeter {
  readonly costs: RouteCost[] = [];
  readonly plans: string[] = [];

  constructor(private readonly client: Client, private readonly baseUrl: string) {}

  async measure(route: string, path: string, bearer: string): Promise<void> {
    const headers = { authorization: `Bearer ${bearer}` };
    const ask = (): Promise<number> => timed(this.baseUrl + path, headers);
    await ask();
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await ask());
    const asked = await statementsOf(this.client, async () => void (await ask()));
    const reads = asked.filter(({ sql }) => /^\s*(SELECT|WITH)\b/i.test(sql)
      && !/pg_(reload_conf|sleep|stat_file|read_file)/.test(sql));
    const slowest = reads.reduce((most, one) => (one.ms > most.ms ? one : most), { sql: '', ms: 0 });
    const plan = slowest.sql === '' ? { text: 'no statement', rowsRead: 0 } : await planOf(this.client, slowest.sql);
    this.plans.push(`-- ${route}: ${slowest.ms.toFixed(1)} ms when logged\n${slowest.sql.trim()};\n\n${plan.text}\n`);
    this.costs.push({
      route, 'p50 ms': Math.round(median(times)), 'max ms': Math.round(Math.max(...times)),
      'slowest statement ms': Math.round(slowest.ms * 10) / 10, 'rows it reads': plan.rowsRead,
    });
  }
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
      const connectorIds = made.map(({ id }) => id);
      const { rows: [owner] } = await client.query<{ organization_id: string }>(
        'SELECT organization_id FROM connectors WHERE id = $1', [connectorIds[0]],
      );
      const began = performance.now();
      const anEvent = await fillOutcomes(client, { organizationId: owner!.organization_id, connectorIds, rows, days });
      const filledS = (performance.now() - began) / 1_000;
      const rebuildS = await rebuilt(stack, client, rows);
      const meter = new RouteMeter(client, stack.configApi);
      for (const [route, path] of Object.entries(routesOf(connectorIds[0]!, anEvent))) {
        await meter.measure(route, path, await token());
      }
      await meter.measure('operator/overview', '/operator/overview', stack.operatorToken);
      const { rows: [size] } = await client.query<{ gb: number }>(
        'SELECT round(pg_database_size(current_database()) / 1e9, 1)::float8 AS gb',
      );
      writeFileSync(join(resultsDir, 'monitoring-plans.sql'), meter.plans.join('\n'));
      return {
        title: `Monitoring routes on ${rows} outcome rows of ${days} days (${size!.gb} GB, made in ${Math.round(filledS)} s); `
          + `the counts were rebuilt in ${Math.round(rebuildS)} s; plans in bench/results/monitoring-plans.sql`,
        rows: meter.costs.map((cost) => ({ ...cost })),
        holds: meter.costs.flatMap(({ route, 'p50 ms': p50, 'rows it reads': read }) => [
          atMost(`median milliseconds of ${route}`, p50, 100), atMost(`rows read by ${route}`, read, mostRead),
        ]),
      };
    } finally {
      await client.end();
    }
  },
};
