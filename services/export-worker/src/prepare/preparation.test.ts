import { setTimeout as sleep } from 'node:timers/promises';
import type { DataExport, ExportSnapshot, Fence } from '@sluice/ports';
import { BlobStoreUnavailable, exportWorker, FenceLost, silentLogger } from '@sluice/ports';
import {
  createExportSnapshotTwin, createExportSourceTwin, createMemoryBlobStore, createMemoryExportStore, createMemoryTaskStore,
  type SnapshotContent, until,
} from '@sluice/ports/testing';
import { createMetrics, createMonotonicClock } from '@sluice/service-kit';
import { BackgroundRunner } from '@sluice/background';
import { sweepWorker } from '../sweep/sweep-worker';
import { runContext } from '@sluice/background/test-support';
import { prepareWorker } from './prepare-worker';
import { prepareExport } from './preparation';

const at = '2026-03-02T10:00:00.000Z';
const organizationId = 'organization';
const mapping = (externalId: string) => ({
  connector_id: 'c1', entity_type: 'contact', external_id: externalId, crm_id: '7', created_at: at, updated_at: at,
});
const runners: BackgroundRunner[] = [];
afterEach(() => Promise.all(runners.splice(0).map((runner) => runner.stop())));

function lab(content: SnapshotContent = { files: { 'identity_mappings.jsonl': [mapping('A-1'), mapping('A-2')] } }) {
  const connectors = new Set(['c1', 'c2']);
  const tasks = createMemoryTaskStore();
  let state = 'active';
  let passed = 0;
  const exports = createMemoryExportStore({
    scopes: { isConnector: (_, id) => connectors.has(id), stateOf: () => state },
    now: () => Date.now() + passed,
    addTask: (task) => void tasks.ensure([task]),
    assertFence: (fence) => tasks.assertFence(fence),
  });
  const blobs = createMemoryBlobStore();
  const snapshots: (ExportSnapshot & { closed: boolean })[] = [];
  const source = createExportSourceTwin(() => {
    const snapshot = createExportSnapshotTwin({ connectorIds: [...connectors], ...content });
    snapshots.push(snapshot);
    return snapshot;
  });
  const deps = { exports, source, blobs, ttlMs: 60_000, lookMs: 10 };
  const ask = async (connectorId: string | null = null): Promise<DataExport> => {
    const limit = { most: 10, withinMs: 1e9 };
    const answer = await exports.request({ organizationId, connectorId, requestedBy: 'ada', limit });
    if (!answer.ok) throw new Error(answer.reason);
    return answer.export;
  };
  const claim = async (): Promise<Fence> => {
    const { runs } = await tasks.claim('me', [{ worker: exportWorker, limit: 1, leaseMs: 60_000, exceptTenants: [] }]);
    return runs[0]!;
  };
  const prepare = (id: string, fence: Fence, signal = new AbortController().signal) =>
    prepareExport(deps, { exportId: id, fence, signal, logger: silentLogger });
  const get = async (id: string): Promise<DataExport> => (await exports.get(organizationId, id))!;
  const deleteConnector = (id: string): void => {
    connectors.delete(id);
    exports.connectorDeleted(organizationId, id);
  };
  return {
    tasks, exports, blobs, snapshots, deps, ask, claim, prepare, get, deleteConnector, close: () => { state = 'closed'; },
    /** Lets time pass for the store. */
    pass: (ms: number) => { passed += ms; },
  };
}

/** Lines without an end. */
async function* endless(): AsyncGenerator<Uint8Array> {
  for (let nth = 0; ; nth += 1) {
    await sleep(1);
    yield Buffer.from(`${JSON.stringify(mapping(`A-${nth}`))}\n`);
  }
}
const withoutEnd: SnapshotContent = { files: { 'identity_mappings.jsonl': endless } };

test('stores the package and completes the export', async () => {
  const { ask, claim, prepare, get, blobs, snapshots } = lab();
  const { id } = await ask();
  expect(await prepare(id, await claim())).toBe('done');
  const done = await get(id);
  expect(done).toMatchObject({ status: 'completed', progress: { done: 2, total: 2 }, error: null });
  expect(done.categories).toContain('identity_mappings');
  expect((await blobs.get(done.packageKey!))?.subarray(0, 2).toString()).toBe('PK');
  expect(done.sizeBytes).toBe(await blobs.size(done.packageKey!));
  expect(snapshots.map(({ closed }) => closed)).toEqual([true]);
});

test('an export that is over is not prepared', async () => {
  const { ask, claim, prepare, exports, snapshots } = lab();
  const { id } = await ask();
  const fence = await claim();
  await exports.fail(id, 'export_failed');
  expect([await prepare(id, fence), snapshots]).toEqual(['done', []]);
});

test.each([
  ['its own connector: the export is over', 'c1', 'c1', 'done', { status: 'failed', error: 'scope_not_found' }],
  ['another one: the package is prepared again', null, 'c2', 'again', { status: 'running', error: null }],
] as const)('stops within moments when a connector is deleted; %s', async (_, scope, deleted, end, state) => {
  const { ask, claim, prepare, get, deleteConnector, snapshots, blobs, exports } = lab(withoutEnd);
  const { id } = await ask(scope);
  const preparing = prepare(id, await claim());
  await until('rows were written', async () => (await get(id)).progress.done > 0);
  deleteConnector(deleted);
  expect(await preparing).toBe(end);
  expect(await get(id)).toMatchObject({ ...state, packageKey: null });
  expect(snapshots.map(({ closed }) => closed)).toEqual([true]);
  for (const { key } of await exports.leftPackages(10)) expect(await blobs.get(key)).toBeNull();
});

test('a connector that is deleted between the begin of a run and its snapshot ends the export with the next run', async () => {
  const { ask, claim, deps, get, deleteConnector, tasks } = lab();
  const { id } = await ask('c1');
  const fence = await claim();
  const source = { open: async (scope: Parameters<typeof deps.source.open>[0]) => {
    deleteConnector('c1');
    return deps.source.open(scope);
  } };
  const run = { exportId: id, fence, signal: new AbortController().signal, logger: silentLogger };
  expect(await prepareExport({ ...deps, source }, run)).toBe('again');
  await tasks.finish(fence, { next: { dueInMs: 0 }, error: null, retry: false });
  expect(await prepareExport(deps, { ...run, fence: await claim() })).toBe('done');
  expect(await get(id)).toMatchObject({ status: 'failed', error: 'scope_not_found' });
});

test('ends when its process stops, with nothing stored', async () => {
  const { ask, claim, prepare, get, snapshots, blobs } = lab(withoutEnd);
  const { id } = await ask();
  const fence = await claim();
  const stop = new AbortController();
  const preparing = prepare(id, fence, stop.signal);
  await until('rows were written', async () => (await get(id)).progress.done > 0);
  stop.abort();
  await expect(preparing).rejects.toThrow('stopped');
  expect([(await get(id)).status, snapshots[0]!.closed]).toEqual(['running', true]);
  expect(await blobs.get(`data-exports/${id}/${fence.epoch}.zip`)).toBeNull();
});

test('a run that has lost its task ends, and completes nothing', async () => {
  const { ask, claim, prepare, get, tasks } = lab(withoutEnd);
  const { id } = await ask();
  const fence = await claim();
  const preparing = prepare(id, fence);
  await until('rows were written', async () => (await get(id)).progress.done > 0);
  await tasks.release([fence]);
  await expect(preparing).rejects.toThrow(FenceLost);
});

test('what breaks the reading or the storing breaks the run', async () => {
  const away = new Error('the database is away');
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${JSON.stringify(mapping('A-1'))}\n`);
    throw away;
  }
  const reading = lab({ files: { 'identity_mappings.jsonl': broken } });
  const { id } = await reading.ask();
  await expect(reading.prepare(id, await reading.claim())).rejects.toBe(away);
  const storing = lab();
  storing.deps.blobs = createMemoryBlobStore({ unavailable: () => true });
  const { id: other } = await storing.ask();
  await expect(storing.prepare(other, await storing.claim())).rejects.toThrow(BlobStoreUnavailable);
  expect([...reading.snapshots, ...storing.snapshots].map(({ closed }) => closed)).toEqual([true, true]);
});

test('is tried as often as there are waits and once more, and fails then', async () => {
  const { ask, deps, get, tasks } = lab();
  let tries = 0;
  const source = { open: () => {
    tries += 1;
    return Promise.reject(new Error('no snapshot'));
  } };
  const worker = prepareWorker({ ...deps, source, retryWaitsMs: [1, 1], places: 1 });
  const runner = new BackgroundRunner({
    tasks, workers: [worker], owner: 'me', logger: silentLogger, metrics: createMetrics({ service: 'test' }),
    monotonicNow: createMonotonicClock(), pollMs: 5,
  });
  runners.push(runner);
  const { id } = await ask();
  runner.start();
  await until('it failed', async () => (await get(id)).status === 'failed');
  expect([tries, (await get(id)).error, (await get(id)).id]).toEqual([3, 'export_failed', id]);
});

test('the sweep deletes packages whose time is over, and what runs that died have left', async () => {
  const { ask, claim, prepare, get, blobs, exports, deps, tasks, pass } = lab();
  const { id } = await ask();
  const dead = await claim();
  await exports.begin(dead, id, 'data-exports/dead.zip');
  await blobs.put('data-exports/dead.zip', Buffer.from('half'));
  await tasks.releaseOwned('me');
  await prepare(id, await claim());
  const key = (await get(id)).packageKey!;
  const sweep = sweepWorker({ exports, blobs, everyMs: 1_000 });
  await sweep.run(runContext());
  expect([await blobs.get('data-exports/dead.zip'), (await blobs.get(key)) === null]).toEqual([null, false]);
  pass(deps.ttlMs);
  await sweep.run(runContext());
  expect([await blobs.get(key), (await get(id)).status, await exports.leftPackages(10)]).toEqual([null, 'expired', []]);
});
