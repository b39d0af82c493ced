import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type SpawnedService } from '@sluice/testkit';
import { Client } from 'pg';
import type { LoadResult } from '../../load/load-plan';
import { fillOutcomes } from '../../outcomes/fill-outcomes';
import { median } from '../../report/percentile';
import { busiest } from '../../stack/cpu-meter';
import { memoryWhile } from '../../stack/resident-memory';
import type { Stack } from '../../stack/stack';
import { type Call, type CallableConnector, createConnectors, organizationCaller, untilKnown } from '../../stack/tenant';
import { atLeast, atMost, type Scenario } from '../scenario';

/** Rows of the history of a full run. */
const fullRun = 1_000_000;
const [days, rounds, roundMs, warmUpMs] = [30, 3, 8_000, 5_000];
/** Accepts a second beside the export: about half of what a small machine can do. */
const acceptsPerSecond = 500;
const patience = { timeoutMs: 3_600_000, everyMs: 100 };

interface Job {
  id: string;
  status: string;
  started_at: string;
  completed_at: string;
  size_bytes: number;
  error: string | null;
  progress: { done: number; total: number };
}

/** The exports of one organization, one after the other. */
class Exports {
  constructor(private readonly call: Call) {}

  /** Resolves once its preparation has begun. */
  async begin(): Promise<Job> {
    const { id } = await this.call<Job>('POST', '/api/data-exports', {});
    await eventually(async () => (await this.read(id)).status !== 'queued', patience);
    return this.read(id);
  }

  read = (id: string): Promise<Job> => this.call<Job>('GET', `/api/data-exports/${id}`);

  async end({ id }: Job): Promise<Job> {
    await eventually(async () => !['queued', 'running'].includes((await this.read(id)).status), patience);
    const job = await this.read(id);
    if (job.status !== 'completed') throw new Error(`the export ended ${job.status}: ${job.error}`);
    return job;
  }
}

/** Accepts at a steady rate, alone and beside an export, in turns. */
async function acceptedInTurns(load: () => Promise<LoadResult>, exports: Exports): Promise<Record<'alone' | 'beside',
LoadResult[]>> {
  const found: Record<'alone' | 'beside', LoadResult[]> = { alone: [], beside: [] };
  for (let round = 0; round < rounds; round += 1) {
    found.alone.push(await load());
    const job = await exports.begin();
    found.beside.push(await load());
    await exports.end(job);
    await sleep(1_000);
  }
  return found;
}

const acceptRow = (what: string, all: readonly LoadResult[]) => ({
  what,
  'accepts/s': Math.round(rateOf(all)),
  'p50 ms': median(all.map(({ p50 }) => p50)),
  'p95 ms': median(all.map(({ p95 }) => p95)),
});
const rateOf = (all: readonly LoadResult[]): number => median(all.map(({ accepted, elapsedMs }) =>
  (accepted / elapsedMs) * 1000));

/** One export with nothing beside it. */
async function alone(stack: Stack, worker: SpawnedService, exports: Exports, rows: number) {
  const cpu = stack.measureCpu();
  const begun = await exports.begin();
  const done = async (): Promise<number> => {
    const { status, progress } = await exports.read(begun.id);
    return status === 'running' ? Math.min(progress.done, rows - 1) : rows;
  };
  const memory = await memoryWhile({ 'export-worker': worker.url }, done, rows);
  const used = cpu();
  const job = await exports.end(begun);
  const seconds = (Date.parse(job.completed_at) - Date.parse(job.started_at)) / 1_000;
  return { job, seconds, used, memory: memory['export-worker']! };
}

async function measured(stack: Stack, { rows, worker, ingest, connector, call }: {
  rows: number; worker: SpawnedService; ingest: SpawnedService; connector: CallableConnector; call: Call;
}) {
  const exports = new Exports(call);
  const { job, seconds, used, memory } = await alone(stack, worker, exports, rows);
  const load = (durationMs = roundMs): Promise<LoadResult> => stack.load({
    url: ingest.url, path: '/api/v1/events', keys: [connector.apiKey], senders: 50, shape: 'data', perRequest: 1,
    prefix: 'beside', requests: null, updates: 1, durationMs, rate: acceptsPerSecond,
  });
  await load(warmUpMs);
  const turns = await acceptedInTurns(() => load(), exports);
  const core = used.cores['export-worker'] ?? Number.NaN;
  return {
    title: `export: ${rows} rows of the history`,
    rows: [
      { what: 'an export', 'rows/s': Math.round(rows / seconds), 's': seconds,
        'MB of the package': Math.round(job.size_bytes / 1e6),
        'MB of memory': memory.mostMb, 'second half': memory.growth, cores: busiest(used) },
      acceptRow('accepts, alone', turns.alone),
      acceptRow('accepts, beside an export', turns.beside),
    ],
    holds: [
      atLeast('rows/s', rows / seconds, 30_000),
      atMost('cores of export-worker', core, 1),
      atMost('memory of the second half over the first', memory.growth, 1.1),
      atLeast('accept rate beside an export over that alone', rateOf(turns.beside) / rateOf(turns.alone), 0.95),
    ],
  };
}

/** The package of an organization with a long history, and what accepting events notices of its preparation. */
export const exportOfHistory: Scenario = {
  name: 'export',
  words: 'the data export of a million rows of history: rows/s, memory, and accepting beside it',
  run: async ({ stack, scale, records }) => {
    const rows = records ?? Math.round(fullRun * scale);
    const portal = await stack.crm.addPortal(0);
    const { call } = await organizationCaller(stack.configApi, stack.operatorToken, portal);
    const [connector] = await createConnectors(stack.configApi, stack.operatorToken, portal, 1, call);
    const client = new Client({ connectionString: stack.databaseUrl });
    await client.connect();
    const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-export-'));
    const services: SpawnedService[] = [];
    try {
      const { rows: [owner] } = await client.query<{ organization_id: string }>(
        'SELECT organization_id FROM connectors WHERE id = $1', [connector!.id],
      );
      await fillOutcomes(client, { organizationId: owner!.organization_id, connectorIds: [connector!.id], rows, days });
      const worker = await stack.spawn('export-worker', { SLUICE_DATA_DIR: folder, SLUICE_WORKER_TICK: '0.2' });
      const ingest = await stack.spawn('ingest-api');
      services.push(worker, ingest);
      await untilKnown(ingest.url, [connector!]);
      return await measured(stack, { rows, worker, ingest, connector: connector!, call });
    } finally {
      await Promise.all(services.map((service) => service.stop()));
      await client.end();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
