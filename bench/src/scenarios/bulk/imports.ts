import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type SpawnedService } from '@sluice/testkit';
import { Client } from 'pg';
import { percentile } from '../../report/percentile';
import { busiest } from '../../stack/cpu-meter';
import type { Portal } from '../../stack/crm';
import { memoryWhile } from '../../stack/resident-memory';
import type { Stack } from '../../stack/stack';
import { type CallableConnector, createConnectors, organizationCaller, untilKnown } from '../../stack/tenant';
import { crmLatencyMs } from '../bench-lab';
import { atMost, type Scenario } from '../scenario';

/** Rows of a full run, and the part that is imported first with nothing beside it. */
const [fullRun, aloneShare] = [100_000, 0.2];
/** Live events a second of each connector, and for how long they are measured twice before the import. */
const [livePerSecond, aloneMs] = [5, 40_000];
/** Portals beside that of the import: together they have enough events for a 95th percentile that means something. */
const otherPortals = 3;
const patience = { timeoutMs: 7_200_000, everyMs: 200 };

interface Job {
  id: string;
  status: string;
  rows_done: number;
  rows_failed: number;
  rows_total: number;
}

/** A connector, its portal, and calls of its owner. */
interface Tenant {
  portal: Portal;
  token(): Promise<string>;
  connector: CallableConnector;
  /** Another connector of the same portal. */
  neighbour: CallableConnector;
}

async function createTenant({ crm, configApi, operatorToken }: Stack): Promise<Tenant> {
  const portal = await crm.addPortal(crmLatencyMs);
  const { call, token } = await organizationCaller(configApi, operatorToken, portal);
  const [connector, neighbour] = await createConnectors(configApi, operatorToken, portal, 2, call);
  return { portal, token, connector: connector!, neighbour: neighbour! };
}

/** Imports of one connector through the public API. */
class Imports {
  private readonly at: string;

  constructor({ configApi }: Stack, private readonly tenant: Tenant) {
    this.at = `${configApi}/api/connectors/${tenant.connector.id}/bulk-imports`;
  }

  /** A CSV file of so many new customers. */
  async begin(prefix: string, rows: number): Promise<Job> {
    const form = new FormData();
    form.set('entity', 'customer');
    form.set('file', new Blob(fileOf(prefix, rows)), 'customers.csv');
    return this.answer('', { method: 'POST', body: form });
  }

  read = (id: string): Promise<Job> => this.answer(`/${id}`, {});

  async end(id: string): Promise<Job> {
    await eventually(async () => !['queued', 'running'].includes((await this.read(id)).status), patience);
    const job = await this.read(id);
    if (job.rows_done !== job.rows_total) throw new Error(`the import ended ${JSON.stringify(job)}`);
    return job;
  }

  private async answer(path: string, request: RequestInit): Promise<Job> {
    const headers = { authorization: `Bearer ${await this.tenant.token()}` };
    const response = await fetch(this.at + path, { ...request, headers });
    if (!response.ok) throw new Error(`${this.at}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Job;
  }
}

const rowsOfPart = 10_000;
function fileOf(prefix: string, rows: number): string[] {
  const parts = ['external_id,email,first_name,last_name,city\n'];
  for (let first = 0; first < rows; first += rowsOfPart) {
    const lines: string[] = [];
    for (let row = first; row < Math.min(rows, first + rowsOfPart); row += 1)
      lines.push(`${prefix}-${row},${prefix}-${row}@bench.example,Ana,Customer ${row},Lisbon\n`);
    parts.push(lines.join(''));
  }
  return parts;
}

/** Sends live events of connectors at a steady rate until it is stopped. */
class LiveEvents {
  private isOver = false;
  private readonly running: Promise<void>[];

  constructor(private readonly ingestUrl: string, connectors: readonly CallableConnector[]) {
    this.running = connectors.map(({ apiKey }) => this.send(apiKey));
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
  }

  private async send(apiKey: string): Promise<void> {
    for (let count = 0; !this.isOver; count += 1) {
      const data = { email: `live-${count % 1_000}@bench.example`, first_name: 'Eva', sequence: String(count) };
      const response = await fetch(`${this.ingestUrl}/api/v1/events`, {
        method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify({ event: 'customer.saved', recordKey: data.email, data }),
      });
      if (response.status !== 202) throw new Error(`a live event was answered ${response.status}`);
      await response.arrayBuffer();
      await sleep(1_000 / livePerSecond);
    }
  }
}

/** Delays of live events from their acceptance to their end, milliseconds, sorted; by connector. */
async function delaysSince(client: Client, since: Date, connectors: CallableConnector[]): Promise<number[]> {
  const { rows } = await client.query<{ ms: number }>(
    `SELECT extract(epoch FROM completed_at - created_at)::float8 * 1000 AS ms FROM sync_events
      WHERE connector_id = ANY($1::uuid[]) AND event_type = 'customer.saved' AND created_at >= $2 ORDER BY 1`,
    [connectors.map(({ id }) => id), since],
  );
  return rows.map(({ ms }) => ms);
}

/** What live events wait while `work` runs, by what they are. */
async function liveBeside(
  { client, ingest, same, others }: { client: Client; ingest: SpawnedService; same: Tenant; others: Tenant[] },
  work: () => Promise<unknown>,
): Promise<Record<'same connector' | 'same portal' | 'other portals', number[]>> {
  const { rows: [clock] } = await client.query<{ now: Date }>('SELECT now()');
  const elsewhere = others.map(({ connector }) => connector);
  const live = new LiveEvents(ingest.url, [same.connector, same.neighbour, ...elsewhere]);
  await work();
  await live.stop();
  await sleep(5_000);
  const of = (connectors: CallableConnector[]): Promise<number[]> => delaysSince(client, clock!.now, connectors);
  return {
    'same connector': await of([same.connector]), 'same portal': await of([same.neighbour]),
    'other portals': await of(elsewhere),
  };
}

type Delays = Awaited<ReturnType<typeof liveBeside>>;
const p95 = (delays: Delays, of: keyof Delays): number => percentile(delays[of], 0.95);
const delayRows = (when: string, delays: Delays) => (Object.keys(delays) as (keyof Delays)[]).map((of) => ({
  what: `live, ${of}, ${when}`, events: delays[of].length,
  'p50 ms': Math.round(percentile(delays[of], 0.5)), 'p95 ms': Math.round(p95(delays, of)),
}));

/** An import with nothing beside it: its calls of the CRM per row, and its rows a second. */
async function importAlone(imports: Imports, portal: Portal, rows: number): Promise<{ calls: number; rate: number }> {
  const [{ calls }, began] = [await portal.stats(), performance.now()];
  await imports.end((await imports.begin('alone', rows)).id);
  const seconds = (performance.now() - began) / 1_000;
  return { calls: ((await portal.stats()).calls - calls) / rows, rate: rows / seconds };
}

async function measured(stack: Stack, rows: number, client: Client, services: SpawnedService[]) {
  const same = await createTenant(stack);
  const others: Tenant[] = [];
  while (others.length < otherPortals) others.push(await createTenant(stack));
  const [ingest, runner] = [await stack.spawn('ingest-api'), await stack.spawn('flow-runner')];
  services.push(ingest, runner);
  await untilKnown(ingest.url, [same.connector, same.neighbour, ...others.map(({ connector }) => connector)]);
  const imports = new Imports(stack, same);
  const { calls, rate } = await importAlone(imports, same.portal, Math.round(rows * aloneShare));
  const lab = { client, ingest, same, others };
  const before = await liveBeside(lab, () => sleep(aloneMs));
  const again = await liveBeside(lab, () => sleep(aloneMs));
  const addresses = { 'config-api': stack.configApi, 'flow-runner': runner.url, 'ingest-api': ingest.url };
  const [began, running] = [performance.now(), stack.measureCpu()];
  let [seconds, cores, memory] = [0, '', {} as Awaited<ReturnType<typeof memoryWhile>>];
  const beside = await liveBeside(lab, async () => {
    const { id } = await imports.begin('beside', rows);
    memory = await memoryWhile(addresses, async () => (await imports.read(id)).rows_done, rows);
    await imports.end(id);
    [seconds, cores] = [(performance.now() - began) / 1_000, busiest(running())];
  });
  const quiet = Math.max(p95(before, 'other portals'), p95(again, 'other portals'));
  const otherPortal = p95(beside, 'other portals') / quiet;
  return {
    title: `import: ${rows} rows that make new records, with ${livePerSecond} live events/s of each of ${others.length + 2} connectors`,
    rows: [
      { what: 'the import alone', 'rows/s': Math.round(rate), 'calls/row': calls },
      { what: 'the import beside live events', 'rows/s': Math.round(rows / seconds), cores },
      ...delayRows('alone', before), ...delayRows('alone again', again), ...delayRows('beside the import', beside),
      ...Object.entries(memory).map(([name, { mostMb, growth }]) => ({ what: name, 'MB': mostMb, 'second half': growth })),
    ],
    holds: [
      atMost('CRM calls per row', calls, 0.012),
      atMost('added delay of the same portal at p95, ms', p95(beside, 'same portal') - p95(before, 'same portal'), 1_000),
      atMost('delay of another portal at p95 over that alone', otherPortal, 1.05),
      ...Object.entries(memory).map(([name, { growth }]) => atMost(`memory of the second half of ${name} over the first`, growth,
        1.1)),
    ],
  };
}

/** A bulk import, and what live events notice of it. */
export const bulkImport: Scenario = {
  name: 'import',
  words: 'a bulk import of new records beside live events: calls per row, delays, memory',
  run: async ({ stack, scale, records }) => {
    const client = new Client({ connectionString: stack.databaseUrl });
    await client.connect();
    const services: SpawnedService[] = [];
    try {
      return await measured(stack, records ?? Math.round(fullRun * scale), client, services);
    } finally {
      await Promise.all(services.map((service) => service.stop()));
      await client.end();
    }
  },
};
