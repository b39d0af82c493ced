import { randomUUID } from 'node:crypto';
import type { Fence, MonitoringStore, RecordRow } from '@sluice/ports';
import { aHeld, aHold, anIndexRow, aRow, aSettlement, aUnit, ownPartition } from '@sluice/ports/testing';
import type { Pool } from 'pg';
import { createEventIndex } from '../event-index/create-event-index';
import { createPool } from '../create-pool';
import { createRunStore } from '../run/create-run-store';
import { createTaskStore } from '../tasks/create-task-store';
import { migratedPool } from '../test-support/migrated-pool';
import { createMonitoringStore } from './create-monitoring-store';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const ago = (ms: number): Date => new Date(Date.now() - ms);

let pool: Pool;
let url: string;
let close: () => Promise<void>;
let store: MonitoringStore;
let connectorId: string;
beforeAll(async () => {
  ({ pool, url, close } = await migratedPool());
  store = createMonitoringStore(pool);
});
beforeEach(() => {
  connectorId = randomUUID();
});
afterAll(() => close());

/** Ends one unit for each entry, in one settlement. */
async function ended(...rows: Partial<RecordRow>[]): Promise<RecordRow[]> {
  const runs = createRunStore(pool);
  const lease = await ownPartition(runs);
  const made = rows.map((over) => aRow(over.unit ?? aUnit(), { connectorId, completedAt: new Date().toISOString(), ...over }));
  await runs.settle(made.map((row) => aSettlement(lease,
    { unit: row.unit, connectorId, verdict: { kind: 'rows', rows: [row] } })));
  return made;
}
async function newFence(): Promise<Fence> {
  const worker = `test.${randomUUID()}`;
  const tasks = createTaskStore(pool);
  await tasks.ensure([{ worker, key: '' }]);
  return (await tasks.claim('me', [{ worker, limit: 1, leaseMs: hourMs, exceptTenants: [] }])).runs[0]!;
}
const everything = { since: ago(100 * dayMs), until: ago(-dayMs) };
const totals = async (): Promise<Record<string, number>> => {
  const sums: Record<string, number> = {};
  for (const { byStatus } of await store.recordSeries(connectorId, everything, 'day')) {
    for (const [status, count] of Object.entries(byStatus)) sums[status] = (sums[status] ?? 0) + count;
  }
  return sums;
};
const acceptedIn = async (): Promise<number> =>
  (await store.eventSeries(connectorId, everything, 'hour')).reduce((sum, { value }) => sum + value, 0);

describe('counts of records', () => {
  it('count each row once, however often it is stored', async () => {
    const [row] = await ended({ status: 'failed' }, { status: 'completed' }, { status: 'completed' });
    await ended({ ...row, status: 'completed' });
    expect(await totals()).toEqual({ completed: 2, failed: 1 });
  });

  it('are exact within a minute: what ended since a time, whenever it was accepted', async () => {
    const now = Date.now();
    const before = (ms: number): Date => new Date(now - ms);
    const ends = [1_000, 2_000, 2_999, 2 * minuteMs, 3 * minuteMs];
    await ended(...ends.map((ms) => ({ createdAt: before(3 * dayMs).toISOString(), completedAt: before(ms).toISOString() })));
    const since = [500, 1_900, 2 * minuteMs + 1, hourMs].map((ms) => store.endedSince(connectorId, before(ms)));
    expect(await Promise.all(since)).toEqual([0, 1, 4, 5]);
    expect(await store.endedSince(randomUUID(), before(hourMs))).toBe(0);
  });

  it('are none of a settlement that is refused', async () => {
    const runs = createRunStore(pool);
    const lease = await ownPartition(runs);
    const unit = aUnit();
    const verdict = { kind: 'rows' as const, rows: [aRow(unit, { connectorId })] };
    await runs.settle([aSettlement({ ...lease, epoch: lease.epoch - 1n }, { unit, connectorId, verdict })]);
    expect(await totals()).toEqual({});
  });

  it('stand in the step in which the records ended', async () => {
    const at = (ms: number): Partial<RecordRow> => ({ completedAt: ago(ms).toISOString(),
      createdAt: ago(ms + 40).toISOString() });
    await ended(at(0), at(0), { ...at(3 * dayMs), status: 'skipped' });
    const days = await store.recordSeries(connectorId, everything, 'day');
    expect(days.map(({ at: day, byStatus }) => [day.toISOString().slice(0, 10), byStatus])).toEqual([
      [ago(3 * dayMs).toISOString().slice(0, 10), { skipped: 1 }], [ago(0).toISOString().slice(0, 10), { completed: 2 }],
    ]);
    expect(await store.recordSeries(connectorId, { since: ago(hourMs), until: ago(-hourMs) }, 'hour')).toHaveLength(1);
    expect(days[1]!.latency.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(days[1]!.latency[1]).toBe(2);
  });

  it('tell of skipped records which flow skipped them', async () => {
    await ended({ status: 'skipped', flowName: 'orders' }, { status: 'skipped', flowName: null },
      { status: 'skipped', flowName: 'orders' }, {});
    expect(await store.skipsByFlow(connectorId, everything)).toEqual({ orders: 2, '': 1 });
  });

  it('leave replays out of latencies', async () => {
    await ended({ unit: aUnit({ run: 'replay-1' }), createdAt: ago(5 * dayMs).toISOString() });
    const [day] = await store.recordSeries(connectorId, everything, 'day');
    expect([day!.byStatus, day!.latency.every((count) => count === 0)]).toEqual([{ completed: 1 }, true]);
  });
});

describe('adding up', () => {
  const spread = async (): Promise<void> => {
    for (const ms of [0, minuteMs, 5 * hourMs, 30 * hourMs, 30 * hourMs, 10 * dayMs]) {
      await ended({ completedAt: ago(ms).toISOString() }, { completedAt: ago(ms).toISOString(), status: 'skipped',
        flowName: 'orders' });
      await createEventIndex(pool).write([anIndexRow({ connectorId, acceptedAt: ago(ms).toISOString() })]);
    }
  };
  const seen = async (): Promise<unknown> => [
    await store.recordSeries(connectorId, everything, 'hour'), await store.recordSeries(connectorId, everything, 'day'),
    await store.eventSeries(connectorId, everything, 'hour'), await store.skipsByFlow(connectorId, everything),
    await acceptedIn(),
  ];

  it('changes no sum, whenever it runs and however often', async () => {
    await spread();
    const before = await seen();
    const fence = await newFence();
    expect(await store.fold(new Date(), fence)).toBeGreaterThan(0);
    expect(await seen()).toEqual(before);
    await store.fold(new Date(), fence);
    expect(await seen()).toEqual(before);
    const left = await pool.query('SELECT at FROM record_minutes WHERE connector_id = $1 AND at < $2',
      [connectorId, ago(4 * hourMs)]);
    expect(left.rows).toEqual([]);
  });

  it('adds what ended late to an hour that was added up before', async () => {
    const fence = await newFence();
    await ended({ completedAt: ago(5 * hourMs).toISOString() });
    await store.fold(new Date(), fence);
    await ended({ completedAt: ago(5 * hourMs).toISOString() });
    await store.fold(new Date(), fence);
    expect(await totals()).toEqual({ completed: 2 });
  });

  it('loses nothing that is written meanwhile', async () => {
    const fence = await newFence();
    const writes = Array.from({ length: 30 }, () => ended({ completedAt: ago(5 * hourMs).toISOString() }));
    await Promise.all([...writes, ...Array.from({ length: 5 }, () => store.fold(new Date(), fence))]);
    await store.fold(new Date(), fence);
    expect(await totals()).toEqual({ completed: 30 });
  });

  it('is refused when the task has passed to another run', async () => {
    const fence = await newFence();
    await expect(store.fold(new Date(), { ...fence, epoch: fence.epoch - 1n })).rejects.toThrow('has passed to another run');
  });

  it('rebuilds all counts from the rows', async () => {
    await spread();
    const before = await seen();
    const fence = await newFence();
    await pool.query('UPDATE record_minutes SET records = records + 7 WHERE connector_id = $1 AND at < $2',
      [connectorId, ago(2 * hourMs)]);
    await pool.query('DELETE FROM event_minutes WHERE connector_id = $1 AND at < $2', [connectorId, ago(2 * hourMs)]);
    expect(await seen()).not.toEqual(before);
    await store.rebuild(ago(hourMs), fence);
    expect(await seen()).toEqual(before);
    await store.rebuild(ago(hourMs), fence);
    expect(await seen()).toEqual(before);
  });

  it('rebuilds them also when that takes longer than a statement of a request may take', async () => {
    await spread();
    const [before, fence] = [await seen(), await newFence()];
    // The client of this pool gives up a statement two seconds later than its server.
    const impatient = createPool(url, { statementTimeoutMs: 2_000 });
    const locker = await pool.connect();
    try {
      await locker.query('BEGIN; LOCK TABLE record_hours IN ACCESS EXCLUSIVE MODE');
      const rebuilt = createMonitoringStore(impatient).rebuild(ago(hourMs), fence);
      await locker.query('SELECT pg_sleep(4.5)');
      await locker.query('COMMIT');
      await rebuilt;
    } finally {
      locker.release();
      await impatient.end();
    }
    expect(await seen()).toEqual(before);
  });
});

describe('accepted events', () => {
  it('are counted once each, by organization, connector, source and day', async () => {
    const organizationId = randomUUID();
    const index = createEventIndex(pool);
    const row = anIndexRow({ organizationId, connectorId, sourceName: 'hook' });
    await index.write([row, anIndexRow({ organizationId, connectorId, sourceName: 'api' })]);
    await index.write([row, anIndexRow({ organizationId, connectorId, sourceName: 'api' })]);
    const daily = await store.dailyEvents(organizationId, everything);
    expect(daily.map(({ connectorId: id, sourceName, events }) => [id === connectorId, sourceName, events])).toEqual([
      [true, 'api', 2], [true, 'hook', 1],
    ]);
    expect(await index.acceptedSince(organizationId, new Date(Date.UTC(2020, 0, 1)).toISOString())).toBe(3);
    await store.fold(ago(-2 * dayMs), await newFence());
    expect(await index.acceptedSince(organizationId, new Date(Date.UTC(2020, 0, 1)).toISOString())).toBe(3);
  });
});

describe('errors', () => {
  it('are grouped by their text, the newest first, with at most 20 records each', async () => {
    const failed = (error: string | null, ms: number, over: Partial<RecordRow> = {}): Partial<RecordRow> =>
      ({ status: 'failed', error, createdAt: ago(ms).toISOString(), ...over });
    await ended(
      ...Array.from({ length: 25 }, (_, n) => failed('no such property', 10_000 + n)),
      failed('taken', 5_000, { status: 'parked' }),
      failed(null, 1_000), failed('old', 9 * dayMs), { status: 'completed', error: 'a warning' },
      failed('lost', 20_000, { status: 'dlq' }),
      failed('half', 30_000, { status: 'partial_success' }), failed('guard', 2_000, { status: 'quarantined' }),
    );
    const { groups, scanned, capped } = await store.errorSummary(connectorId, { since: ago(7 * dayMs), until: ago(-minuteMs) });
    expect(groups.map(({ error, count, records }) => [error, count, records.length])).toEqual([
      ['taken', 1, 1], ['no such property', 25, 20], ['lost', 1, 1], ['half', 1, 1],
    ]);
    expect([scanned, capped]).toEqual([29, false]);
    expect(groups[1]!.firstSeen.getTime()).toBeLessThan(groups[1]!.lastSeen.getTime());
    expect(groups[1]!.records[0]!.createdAt).toEqual(groups[1]!.lastSeen);
  });

  it('are read up to a bound', async () => {
    await ended(...Array.from({ length: 2_001 }, () => ({ status: 'failed' as const, error: 'no' })));
    const { groups, scanned, capped } = await store.errorSummary(connectorId, everything);
    expect([groups[0]!.count, scanned, capped]).toEqual([2_000, 2_000, true]);
  });
});

describe('what waits', () => {
  it('is held, or in the log and not ended', async () => {
    const runs = createRunStore(pool);
    const { partition } = await ownPartition(runs);
    const topic = 'events.inbound';
    const answer = await runs.ownership.acquire({ topic, partition }, { owner: randomUUID(), leaseMs: hourMs, graceMs: 0 });
    if (!answer.acquired) throw new Error('not acquired');
    const lease = { topic, partition, epoch: answer.epoch };
    const index = createEventIndex(pool);
    const rows = [3, 2, 1].map((minutes) => anIndexRow({ connectorId, acceptedAt: ago(minutes * minuteMs).toISOString() }));
    await index.write(rows);
    const keyOf = (n: number) => ({ eventId: rows[n]!.eventId, entityIndex: 0, run: 'first' });
    await runs.settle([aHold(lease, aHeld(lease, 5n, { unit: keyOf(0), connectorId }))]);
    await ended({ unit: keyOf(1), createdAt: rows[1]!.acceptedAt });
    expect(await store.waiting(connectorId, 'inbound', ago(10 * minuteMs))).toEqual({
      held: 1, inLog: 1, oldestAcceptedAt: new Date(rows[0]!.acceptedAt),
    });
    expect(await store.waiting(connectorId, 'inbound', null)).toMatchObject({ held: 1, inLog: 0 });
    expect(await store.waiting(connectorId, 'outbound', ago(10 * minuteMs))).toEqual({ held: 0, inLog: 0,
      oldestAcceptedAt: null });
    expect(await store.waiting(randomUUID(), 'inbound', ago(hourMs))).toEqual({ held: 0, inLog: 0, oldestAcceptedAt: null });
  });
});

it('counts of processes add up by minute, and by hour later', async () => {
  await store.addProcessCounts([{ connectorId, name: 'crm_calls', value: 3 },
    { connectorId, name: 'ingest_requests', value: 9 }]);
  await store.addProcessCounts([{ connectorId, name: 'crm_calls', value: 2 }]);
  const calls = async () => (await store.processSeries(connectorId, 'crm_calls', everything, 'day')).map(({ value }) => value);
  expect(await calls()).toEqual([5]);
  await store.fold(ago(-dayMs), await newFence());
  expect(await calls()).toEqual([5]);
});
