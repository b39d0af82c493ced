import { randomUUID } from 'node:crypto';
import { decodeEnvelope, eventsInbound, type EventEnvelope } from '@sluice/contracts';
import type { EventIndex, HeldEvent, IndexRow, PartitionLease, RecordRow, RunStore } from '@sluice/ports';
import { aHeld, aHold, anIndexRow, aRow, aSettlement, ownPartition } from '@sluice/ports/testing';
import { createEventIndex, createRunStore } from '@sluice/store-postgres';
import { eventually } from '@sluice/testkit';
import { type Caller, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
let owner: Caller;
let store: RunStore;
let index: EventIndex;
let lease: PartitionLease;
/** The messages published for the runners. */
const published: EventEnvelope[] = [];

beforeAll(async () => {
  lab = await startLab();
  owner = await lab.owner();
  [store, index] = [createRunStore(lab.pool), createEventIndex(lab.pool)];
  lease = await ownPartition(store);
  await lab.bus.subscribe({
    topic: eventsInbound.name,
    group: 'test',
    fromStart: true,
    handlers: {
      assigned: () => undefined,
      revoked: () => undefined,
      messages: (_partition, messages) => void published.push(...messages.map(({ value }) => decodeEnvelope(value!))),
    },
  });
});
afterAll(() => lab.stop());

let connectorId: string;
beforeEach(async () => {
  connectorId = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body.id;
});

const path = (rest = ''): string => `/api/connectors/${connectorId}/sync-events${rest}`;
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** The outcome of a record, and its event in the index. */
async function record(row: Partial<RecordRow> & { run?: string } = {}, event: Partial<IndexRow> | null = {}): Promise<RecordRow> {
  const createdAt = row.createdAt ?? minutesAgo(5);
  const unit = row.unit ?? { eventId: `evt_${randomUUID()}`, entityIndex: 0, run: 'first' };
  const own = { connectorId, createdAt, organizationId: owner.organizationId };
  const made = aRow(unit, { status: 'failed', replayable: true, ...row, ...own });
  const lane = `${connectorId}:customer:C-1`;
  if (event) await index.write([anIndexRow({ ...unit, connectorId, acceptedAt: createdAt, lane, ...event })]);
  await store.settle([aSettlement(lease, { unit, connectorId, verdict: { kind: 'rows', rows: [made] } })]);
  return made;
}

const replay = (id: string, query = '') => owner.post(path(`/${id}/replay${query}`));
const runsOf = (eventId: string) => published.filter(({ event_id: id }) => id === eventId);

/** Events of the connector that wait. */
async function hold(offset: bigint, more: Partial<HeldEvent> = {}, event: Partial<IndexRow> | null = {}): Promise<HeldEvent> {
  const held = aHeld(lease, offset, { connectorId, ...more });
  if (event) await index.write([anIndexRow({ ...held.unit, connectorId, acceptedAt: minutesAgo(5), ...event })]);
  await store.settle([aHold(lease, held)]);
  return held;
}

describe('held events', () => {
  const held = (query = '') => owner.get(`/api/connectors/${connectorId}/held-events${query}`);

  test('are listed with why and until when they wait, and what their last attempt said', async () => {
    const failed = await hold(101n, {
      flowName: 'orders', dueAt: Date.parse('2030-01-01T00:00:00Z'), attempts: 2,
      lastError: 'the CRM answered 503', lastErrorCode: 'crm_unavailable',
    }, { eventType: 'order.placed', externalId: 'O1' });
    const paused = await hold(102n, { reason: 'paused', attempts: 0 }, null);
    const { items, next_cursor } = (await held().expect(200)).body;
    expect(items).toEqual([
      {
        event_id: failed.unit.eventId, entity_index: 0, run: 'first', flow_name: 'orders',
        event_type: 'order.placed', external_id: 'O1', reason: 'retry', until: '2030-01-01T00:00:00.000Z', attempts: 2,
        error: 'the CRM answered 503', error_code: 'crm_unavailable',
        accepted_at: expect.any(String), held_since: expect.any(String),
      },
      expect.objectContaining({
        event_id: paused.unit.eventId, event_type: null, accepted_at: null, reason: 'paused', until: null, error: null,
      }),
    ]);
    expect(next_cursor).toBeNull();
  });

  test('are narrowed by reason and flow, in pages', async () => {
    const all: HeldEvent[] = [];
    for (const [n, reason] of (['retry', 'fatal', 'retry', 'backlog'] as const).entries())
      all.push(await hold(BigInt(200 + n), { reason, flowName: n < 2 ? 'orders' : null }));
    const ids = async (query: string): Promise<string[]> =>
      (await held(query).expect(200)).body.items.map(({ event_id: id }: { event_id: string }) => id);
    expect(await ids('?reason=retry')).toEqual([all[0]!.unit.eventId, all[2]!.unit.eventId]);
    expect(await ids('?flow=orders')).toEqual([all[0]!.unit.eventId, all[1]!.unit.eventId]);
    const first = (await held('?limit=3').expect(200)).body;
    expect(await ids(`?limit=3&cursor=${first.next_cursor}`)).toEqual([all[3]!.unit.eventId]);
    await held('?reason=bored').expect(422);
  });

  test('are shown only to members of the organization, and only those of the connector', async () => {
    await hold(300n);
    const stranger = await lab.owner();
    await stranger.get(`/api/connectors/${connectorId}/held-events`).expect(404);
    const other = (await owner.post('/api/connectors', { name: 'Other' }).expect(201)).body.id;
    expect((await owner.get(`/api/connectors/${other}/held-events`).expect(200)).body.items).toEqual([]);
  });
});

describe('record outcomes', () => {
  test('are listed newest first, page by page, with filters', async () => {
    const [a, b, c] = [
      await record({ createdAt: minutesAgo(30), flowName: 'orders', externalId: 'O1' }),
      await record({ createdAt: minutesAgo(20), status: 'completed', replayable: false, entityName: 'order' }),
      await record({ createdAt: minutesAgo(10), status: 'skipped', reason: 'superseded', replayable: false }),
    ];
    const ids = async (query: string): Promise<string[]> =>
      (await owner.get(path(`?${query}`)).expect(200)).body.items.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([c.id, b.id, a.id]);
    expect(await ids('status=failed')).toEqual([a.id]);
    expect(await ids('flow=orders&external_id=O1')).toEqual([a.id]);
    expect(await ids('entity=order')).toEqual([b.id]);
    expect(await ids(`event_id=${c.unit.eventId}`)).toEqual([c.id]);
    expect(await ids(`since=${minutesAgo(25)}&until=${minutesAgo(15)}`)).toEqual([b.id]);
    const first = (await owner.get(path('?limit=2')).expect(200)).body;
    expect(first.items).toHaveLength(2);
    const second = (await owner.get(path(`?limit=2&cursor=${first.next_cursor}`)).expect(200)).body;
    expect([second.items.map(({ id }: { id: string }) => id), second.next_cursor]).toEqual([[a.id], null]);
    await owner.get(path('?cursor=made-up')).expect(422);
    await owner.get(path('?status=gone')).expect(422);
  });

  test('show one row whole, with steps and payload, and only to its organization and connector', async () => {
    const row = await record({ reason: 'crashed_runner', status: 'quarantined' }, { payload: Buffer.from('{"n":1}') });
    const shown = (await owner.get(path(`/${row.id}`)).expect(200)).body;
    expect(shown).toMatchObject({
      id: row.id, event_id: row.unit.eventId, status: 'quarantined', reason: 'crashed_runner', run: 'first', replayable: true,
      steps: [{ id: 'upsert_customer', status: 'ok' }], payload: { n: 1 }, payload_kept: true,
    });
    const gone = await record({}, null);
    expect((await owner.get(path(`/${gone.id}`)).expect(200)).body).toMatchObject({ payload: null, payload_kept: false });
    await owner.get(path(`/${randomUUID()}`)).expect(404);
    await owner.get(path('/no-uuid')).expect(404);
    const stranger = await lab.owner();
    await stranger.get(path(`/${row.id}`)).expect(404);
    const other = (await owner.post('/api/connectors', { name: 'Other' }).expect(201)).body.id;
    await owner.get(`/api/connectors/${other}/sync-events/${row.id}`).expect(404);
    await owner.post(`/api/connectors/${other}/sync-events/${row.id}/replay?force=true`).expect(404);
  });

  test('are counted by status, and skips by flow', async () => {
    await record();
    await record({ status: 'skipped', flowName: 'orders', replayable: false });
    await record({ status: 'skipped', flowName: null, replayable: false });
    await record({ createdAt: minutesAgo(60 * 24 * 8), completedAt: minutesAgo(60 * 24 * 8) });
    const summary = (await owner.get(path('/summary')).expect(200)).body;
    expect(summary).toMatchObject({ by_status: { failed: 1, skipped: 2 }, scanned: 3, scan_capped: false });
    expect(summary.skips_by_flow).toBeUndefined();
    const skips = (await owner.get(path('/summary?include=skips_by_flow')).expect(200)).body;
    expect(skips.skips_by_flow).toEqual({ orders: 1, '': 1 });
  });

  test('of a range are counted one by one up to a bound, then by its hours', async () => {
    const [since, until] = [minutesAgo(180), minutesAgo(60)];
    const row = await record({ createdAt: minutesAgo(90), completedAt: minutesAgo(90) });
    const summary = async () =>
      (await owner.get(path(`/summary?since=${since}&until=${until}&include=skips_by_flow`)).expect(200)).body;
    expect(await summary()).toMatchObject({ by_status: { failed: 1 }, scanned: 1, scan_capped: false });
    await lab.pool.query(`INSERT INTO sync_events SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid()))).*
      FROM sync_events s, generate_series(1, 20000) n WHERE s.id = $1`, [row.id]);
    // The copies are in no count, so the answer shows that the counts were asked.
    expect(await summary()).toMatchObject({ by_status: { failed: 1 }, scanned: 1, scan_capped: true, skips_by_flow: {} });
  });
});

describe('the replay of a record', () => {
  test('publishes its event in a run of its own, once', async () => {
    const row = await record({}, { timestamp: '2026-01-01T00:00:00Z', storeId: 'main', payload: Buffer.from('{"n":1}') });
    const { body } = await replay(row.id).expect(202);
    expect(body).toEqual({ sync_event_id: row.id, event_id: row.unit.eventId, status: 'processing' });
    const { replays, rows } = await index.view(connectorId, row.unit.eventId, row.createdAt);
    expect([rows.length, replays]).toEqual([
      1, [{ unit: { ...row.unit, run: expect.stringMatching(/^replay-/) }, askedAt: expect.any(Number) }],
    ]);
    const [unit] = await eventually(() => {
      const runs = runsOf(row.unit.eventId);
      if (runs.length === 0) throw new Error('not in the log yet');
      return runs;
    });
    expect(unit).toMatchObject({
      event_id: row.unit.eventId, kind: 'replay', lane: `${connectorId}:customer:C-1`, accepted_at: row.createdAt,
      timestamp: '2026-01-01T00:00:00Z', store_id: 'main', payload: { n: 1 }, source_type: 'event_api',
    });
    expect(unit!.run).toMatch(/^replay-/);
    expect(unit!.forced).toBeUndefined();
    const again = await replay(row.id).expect(409);
    expect(again.body.detail).toEqual({ error: 'not_replayable', status: 'processing' });
    const audit = (await owner.get(`/api/orgs/${owner.organizationId}/audit?action=record.replay`).expect(200)).body.items;
    const ofRow = audit.filter(({ target }: { target: { id: string } }) => target.id === row.id);
    expect(ofRow.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['refused', 'done']);
  });

  test('is made once for concurrent requests', async () => {
    const row = await record();
    const answers = await Promise.all(Array.from({ length: 8 }, () => replay(row.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409, 409, 409, 409]);
    await eventually(() => expect(runsOf(row.unit.eventId)).toHaveLength(1));
  });

  test('may be repeated when it failed, also by its own row, and not when it has completed', async () => {
    const row = await record();
    await replay(row.id).expect(202);
    const runOf = async (count: number): Promise<string> => {
      await eventually(() => expect(runsOf(row.unit.eventId)).toHaveLength(count));
      return runsOf(row.unit.eventId).at(-1)!.run;
    };
    const first = await record({ unit: { ...row.unit, run: await runOf(1) }, createdAt: row.createdAt, status: 'parked' });
    await replay(first.id).expect(202);
    const second = { ...row.unit, run: await runOf(2) };
    await record({ unit: second, createdAt: row.createdAt, status: 'completed', replayable: false });
    for (const { id } of [row, first])
      expect((await replay(id, '?force=true').expect(409)).body.detail).toEqual({ error: 'not_replayable', status: 'completed' });
    const { items } = (await owner.get(path()).expect(200)).body;
    expect(items.map(({ replayable }: { replayable: boolean }) => replayable)).toEqual([false, false, false]);
  });

  test('of an item of a bulk step checks whether that item has completed since, not its neighbours', async () => {
    const lost = await record({ item: 'all/1' });
    await record({ unit: lost.unit, createdAt: lost.createdAt, item: 'all/0', status: 'completed', replayable: false }, null);
    expect((await owner.get(path(`/${lost.id}`)).expect(200)).body).toMatchObject({ item: 'all/1', replayable: true });
    const again = { ...lost.unit, run: 'replay-1' };
    const later = { unit: again, createdAt: lost.createdAt, replayable: false } as const;
    await record({ ...later, item: 'all/0', status: 'completed' }, null);
    expect((await owner.get(path(`/${lost.id}`)).expect(200)).body.replayable).toBe(true);
    await record({ ...later, item: 'all/1', status: 'completed' }, null);
    expect((await owner.get(path(`/${lost.id}`)).expect(200)).body.replayable).toBe(false);
  });

  test('of a quarantined record needs force, which the runner gets too', async () => {
    const row = await record({ status: 'quarantined', reason: 'crashed_runner' });
    expect((await replay(row.id).expect(409)).body.detail).toEqual({ error: 'force_required', status: 'quarantined' });
    await replay(row.id, '?force=true').expect(202);
    await eventually(() => expect(runsOf(row.unit.eventId)).toMatchObject([{ forced: true }]));
  });

  test('is refused when the record completed, its payload is not kept, or it does not exist', async () => {
    const done = await record({ status: 'completed', replayable: false });
    expect((await replay(done.id).expect(409)).body.detail).toEqual({ error: 'not_replayable', status: 'completed' });
    const gone = await record({}, null);
    expect((await replay(gone.id).expect(409)).body.detail)
      .toEqual({ error: 'not_replayable', status: 'failed', reason: 'payload_expired' });
    await replay(randomUUID()).expect(404);
  });

  test('keeps a payload in the blob store for as long as the replay may wait; without it the replay is refused', async () => {
    const key = `payloads/${randomUUID()}.json`;
    const row = await record({}, { payload: null, payloadRef: key, payloadBytes: 300_000 });
    expect((await replay(row.id).expect(409)).body.detail)
      .toEqual({ error: 'not_replayable', status: 'failed', reason: 'payload_expired' });
    await lab.blobs.put(key, Buffer.from('{}'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = new Date();
    await replay(row.id).expect(202);
    await eventually(() => expect(runsOf(row.unit.eventId)).toMatchObject([{ payload_ref: { key } }]));
    await lab.blobs.deleteOlderThan('payloads', before);
    expect(await lab.blobs.get(key)).not.toBeNull();
  });

  test('that no broker accepts does not count: it may be requested again', async () => {
    const row = await record();
    lab.bus.down = true;
    await replay(row.id).expect(503);
    lab.bus.down = false;
    await replay(row.id).expect(202);
  });

  test('that is held counts as under way; one without progress for too long counts as lost', async () => {
    const row = await record();
    await replay(row.id).expect(202);
    await eventually(() => expect(runsOf(row.unit.eventId)).toHaveLength(1));
    const { run } = runsOf(row.unit.eventId)[0]!;
    const longAgo = "UPDATE record_replays SET asked_at = now() - $2 * interval '1 minute' WHERE event_id = $1";
    await lab.pool.query(longAgo, [row.unit.eventId, 9]);
    await replay(row.id).expect(409);
    await lab.pool.query(longAgo, [row.unit.eventId, 11]);
    const held = aHeld(lease, 7n, { unit: { ...row.unit, run }, connectorId });
    await store.settle([aHold(lease, held)]);
    await replay(row.id).expect(409);
    await lab.pool.query('DELETE FROM held_events WHERE event_id = $1', [row.unit.eventId]);
    await replay(row.id).expect(202);
  });
});
