import { randomUUID } from 'node:crypto';
import { eventsInbound, flowRunnerGroup } from '@sluice/contracts';
import type { RecordRow } from '@sluice/ports';
import { aHeld, aHold, anIndexRow, aRow, aSettlement } from '@sluice/ports/testing';
import { createEventIndex, createMonitoringStore, createRunStore, createTaskStore } from '@sluice/store-postgres';
import { eventually } from '@sluice/testkit';
import { type Caller, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
let owner: Caller;
let lease: { topic: string; partition: number; epoch: bigint };
let connectorId: string;

beforeAll(async () => {
  lab = await startLab();
  owner = await lab.owner();
  const ref = { topic: eventsInbound.name, partition: 3 };
  const answer = await createRunStore(lab.pool).ownership.acquire(ref, { owner: 'test', leaseMs: 3_600_000, graceMs: 0 });
  if (!answer.acquired) throw new Error('the partition is free');
  lease = { ...ref, epoch: answer.epoch };
});
afterAll(() => lab.stop());
beforeEach(async () => {
  connectorId = (await owner.post('/api/connectors', { name: `Shop ${randomUUID()}` }).expect(201)).body.id;
});

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const [minuteMs, dayMs] = [60_000, 86_400_000];
const get = async (rest: string) => (await owner.get(`/api/connectors/${connectorId}${rest}`).expect(200)).body;

/** Records that were accepted and have ended. */
async function ended(...rows: Partial<RecordRow>[]): Promise<RecordRow[]> {
  const now = Date.now();
  const [completedAt, createdAt] = [now, now - 150].map((at) => new Date(at).toISOString());
  const made = rows.map((over) => aRow({ eventId: `evt_${randomUUID()}`, entityIndex: 0, run: 'first' }, {
    organizationId: owner.organizationId, completedAt: completedAt!, createdAt: createdAt!, ...over, connectorId,
  }));
  const { organizationId } = owner;
  await createEventIndex(lab.pool).write(made.map(({ unit, createdAt }) =>
    anIndexRow({ ...unit, connectorId, organizationId, acceptedAt: createdAt })));
  await createRunStore(lab.pool).settle(made.map((row) =>
    aSettlement(lease, { unit: row.unit, connectorId, verdict: { kind: 'rows', rows: [row] } })));
  return made;
}
/** Events that were accepted and wait in the held store. */
async function held(count: number, acceptedAt: string, offset = 10n): Promise<void> {
  const rows = Array.from({ length: count }, () => anIndexRow({ connectorId, organizationId: owner.organizationId, acceptedAt }));
  await createEventIndex(lab.pool).write(rows);
  await createRunStore(lab.pool).settle(rows.map(({ eventId }, n) =>
    aHold(lease, aHeld(lease, offset + BigInt(n), { unit: { eventId, entityIndex: 0, run: 'first' }, connectorId,
      reason: 'paused' }))));
}

describe('errors/summary', () => {
  it('groups records by their error, the newest first, in a range with an exclusive end', async () => {
    const [first] = await ended(
      { status: 'failed', error: 'no such property', createdAt: ago(5 * minuteMs), externalId: 'C-7', entityName: 'customer' },
      { status: 'parked', error: 'no answer', createdAt: ago(4 * minuteMs) },
      { status: 'failed', error: 'no such property', createdAt: ago(3 * minuteMs) }, { status: 'completed' },
    );
    const body = await get('/errors/summary');
    expect(body).toMatchObject({ scanned: 3, scan_capped: false });
    expect(body.groups.map(({ error, count }: { error: string; count: number }) => [error, count])).toEqual([
      ['no such property', 2], ['no answer', 1],
    ]);
    expect(body.groups[0].records[1]).toEqual({
      sync_event_id: first!.id, external_id: 'C-7', entity_name: 'customer', created_at: first!.createdAt,
    });
    expect(body.groups[0].first_seen).toBe(first!.createdAt);
    expect(Date.parse(body.until) - Date.parse(body.since)).toBe(7 * dayMs);
    const until = encodeURIComponent(first!.createdAt);
    expect((await get(`/errors/summary?until=${until}&since=${encodeURIComponent(ago(dayMs))}`)).groups).toEqual([]);
    const since = encodeURIComponent(first!.createdAt);
    expect((await get(`/errors/summary?since=${since}`)).groups[0].count).toBe(2);
  });
});

describe('stats', () => {
  it('counts what was received, what became of it, what waits, and how long it took', async () => {
    await ended({}, {}, { status: 'skipped' }, { status: 'failed', error: 'no' });
    await held(2, ago(minuteMs));
    await createMonitoringStore(lab.pool).addProcessCounts([{ connectorId, name: 'crm_calls', value: 3 }]);
    const body = await get('/stats');
    expect(body).toMatchObject({
      events_received: 6, records: { completed: 2, skipped: 1, failed: 1 }, held: { paused: 2 }, in_flight: 0, crm_calls: 3,
    });
    expect(body.latency_ms.p50).toBeGreaterThan(100);
    expect(body.latency_ms.p99).toBeLessThanOrEqual(200);
    const before = `since=${encodeURIComponent(ago(60 * dayMs))}&until=${encodeURIComponent(ago(dayMs))}`;
    expect((await get(`/stats?${before}`)).records).toEqual({});
  });

  it('timeline has every step of the range', async () => {
    await ended({}, { status: 'skipped' }, { status: 'parked', error: 'x' }, { completedAt: ago(3 * dayMs),
      status: 'quarantined' });
    const { buckets, ...asked } = await get('/stats/timeline');
    expect(asked).toEqual({ range: '7d', granularity: 'daily' });
    expect(buckets).toHaveLength(8);
    expect(buckets.at(-1)).toEqual({
      period: `${ago(0).slice(0, 10)}T00:00:00.000Z`, records_ok: 1, records_failed: 1, records_skipped: 1, job_count: 0,
    });
    expect(buckets.at(-4)).toMatchObject({ records_failed: 1, records_ok: 0 });
    expect((await get('/stats/timeline?range=24h&granularity=hourly')).buckets).toHaveLength(25);
    expect((await get('/stats/timeline?range=30d')).buckets).toHaveLength(31);
    await owner.get(`/api/connectors/${connectorId}/stats/timeline?range=1y`).expect(422);
  });

  it('timeseries has one metric: events received, records by result, calls of the CRM', async () => {
    await ended({}, { status: 'skipped' }, { status: 'failed', error: 'x' });
    await createMonitoringStore(lab.pool).addProcessCounts([{ connectorId, name: 'crm_calls', value: 5 }]);
    const values = { events_received: 3, records_ok: 1, records_failed: 1, records_skipped: 1, crm_calls: 5 };
    for (const [metric, value] of Object.entries(values)) {
      const body = await get(`/stats/timeseries?metric=${metric}&range=24h&granularity=hourly`);
      expect(body).toMatchObject({ metric, range: '24h', granularity: 'hourly' });
      expect(body.buckets).toHaveLength(25);
      expect([metric, body.buckets.reduce((all: number, one: { value: number }) => all + one.value, 0)]).toEqual([metric, value]);
    }
  });

  it('timeseries of latency_p95 has no value where nothing was measured; another metric is refused', async () => {
    await ended({});
    const { buckets } = await get('/stats/timeseries?metric=latency_p95');
    expect(buckets.at(-1).value).toBeGreaterThan(0);
    expect(buckets[0].value).toBeNull();
    for (const query of ['metric=cpu', '']) {
      const { body } = await owner.get(`/api/connectors/${connectorId}/stats/timeseries?${query}`).expect(422);
      expect(body.detail[0].loc).toEqual(['query', 'metric']);
    }
  });

  it('the summary of sync events counts the last week, and skips by flow when asked', async () => {
    await ended({ status: 'skipped', flowName: 'orders' }, { status: 'skipped', flowName: null }, {});
    const body = await get('/sync-events/summary?include=skips_by_flow');
    expect(body).toMatchObject({ by_status: { completed: 1, skipped: 2 }, skips_by_flow: { orders: 1, '': 1 }, scanned: 3 });
  });
});

describe('inbound-backlog', () => {
  it('is empty, flowing, congested or stalled', async () => {
    expect(await get('/inbound-backlog')).toMatchObject({
      connector_id: connectorId, state: 'empty', pending_count: 0, oldest_pending_at: null, throughput_window_seconds: 900,
    });
    await held(2, ago(minuteMs));
    expect(await get('/inbound-backlog')).toMatchObject({
      state: 'flowing', pending_count: 2, pending_by_status: { pending: 2, processing: 0 },
    });
    const old = ago(20 * minuteMs);
    await held(1, old, 0n);
    expect(await get('/inbound-backlog')).toMatchObject({ state: 'stalled', finished_recently: 0 });
    await ended({});
    const body = await get('/inbound-backlog');
    expect(body).toMatchObject({ state: 'congested', finished_recently: 1, pending_count: 3 });
    expect(body.estimated_wait_seconds).toBe(2_700);
  });

  it('counts what is in the log and was not run', async () => {
    await createEventIndex(lab.pool).write([anIndexRow({ connectorId, organizationId: owner.organizationId,
      acceptedAt: ago(0) })]);
    await lab.bus.subscribe({
      topic: eventsInbound.name, group: flowRunnerGroup, fromStart: true,
      handlers: { assigned: () => undefined, revoked: () => undefined, messages: () => new Promise(() => undefined) },
    });
    await lab.bus.publish(eventsInbound.name, 0, [{ key: connectorId, value: Buffer.from('{}') }]);
    await eventually(async () => expect((await get('/inbound-backlog')).pending_by_status).toEqual({ processing: 1,
      pending: 0 }));
    expect((await get('/stats')).in_flight).toBe(1);
  });
});

describe('other routes', () => {
  it('sync-jobs is a list of none, with its own limits', async () => {
    expect(await get('/sync-jobs')).toEqual({ items: [], total: 0 });
    expect(await get('/sync-jobs?limit=100&offset=5')).toEqual({ items: [], total: 0 });
    const { body } = await owner.get(`/api/connectors/${connectorId}/sync-jobs?limit=101`).expect(422);
    expect(body.detail[0].loc).toEqual(['query', 'limit']);
  });

  it('the SLA report is for Enterprise', async () => {
    await ended({}, { status: 'partial_success', error: 'x' }, { status: 'failed', error: 'x' }, {
      createdAt: ago(2 * minuteMs) });
    const counts = [{ connectorId, name: 'ingest_requests' as const, value: 200 }, { connectorId,
      name: 'ingest_unavailable' as const, value: 1 }];
    await createMonitoringStore(lab.pool).addProcessCounts(counts);
    expect(await get('/sla')).toMatchObject({
      period: '30d', availability: 0.995, accepted: 4, delivered: 3, delivered_within_target: 2, target_seconds: 30,
    });
    const small = await lab.owner('pro');
    const id = (await small.post('/api/connectors', { name: 'Shop' }).expect(201)).body.id;
    const { body } = await small.get(`/api/connectors/${id}/sla`).expect(402);
    expect(body.detail).toMatchObject({ error: 'sla_monitoring_not_available', tier: 'pro' });
  });

  it('the data plane is available while the log and the blob store answer, told to anybody', async () => {
    const { body } = await lab.api().get('/api/health/data-plane').expect(200);
    expect(body).toEqual({ status: 'ok', ingestion: 'available', attachments: 'available', checked_at: expect.any(String) });
  });

  it('the timeline of an event has its acceptance, its steps and its end in order', async () => {
    const [row] = await ended({ steps: [{
      id: 'upsert_customer', action: 'upsert', status: 'ok', output: {}, error: null, started_at: ago(100), duration_ms: 20,
        attempts: 1,
    }] });
    const { items } = await get(`/events/${row!.unit.eventId}/timeline`);
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['accepted', 'step', 'ended']);
    expect(items[2].detail).toMatchObject({ status: 'completed', sync_event_id: row!.id });
    await owner.get(`/api/connectors/${connectorId}/events/evt_unknown/timeline`).expect(404);
  });

  it('another organization\'s connector is answered as an unknown one', async () => {
    const other = await lab.owner();
    const paths = [
      '/errors/summary', '/stats', '/stats/timeline', '/stats/timeseries?metric=crm_calls', '/inbound-backlog', '/sync-jobs',
        '/sla',
      '/events/evt_x/timeline',
    ];
    for (const path of paths) await other.get(`/api/connectors/${connectorId}${path}`).expect(404);
  });

  it('an operator has the counts made again', async () => {
    await ended({}, {});
    await lab.pool.query('UPDATE record_minutes SET records = 99, at = at - interval \'5 hours\' WHERE connector_id = $1',
      [connectorId]);
    expect((await get('/stats')).records.completed).toBe(99);
    await lab.operator.post('/operator/counts/rebuild').expect(202);
    const isDone = async () => (await createTaskStore(lab.pool).overview()).every(({
      worker }) => worker !== 'monitoring.rebuild');
    await eventually(async () => expect(await isDone()).toBe(true));
    expect((await get('/stats')).records).toEqual({});
    const { body } = await lab.operator.get('/operator/overview').expect(200);
    expect(body.background.map(({ worker }: { worker: string }) => worker)).toEqual(expect.arrayContaining(['config.sweeps',
      'monitoring.fold']));
  });
});
