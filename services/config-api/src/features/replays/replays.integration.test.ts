import { randomUUID } from 'node:crypto';
import { decodeEnvelope, eventsInbound, type EventEnvelope } from '@sluice/contracts';
import type { PartitionLease, RecordRow } from '@sluice/ports';
import { anIndexRow, aRow, aSettlement, ownPartition, until } from '@sluice/ports/testing';
import { createEventIndex, createRunStore } from '@sluice/store-postgres';
import { type Caller, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
let owner: Caller;
let lease: PartitionLease;
let connectorId: string;
/** The messages published for the runners, in order. */
const published: EventEnvelope[] = [];
/** What the runner of these tests makes of a replayed unit; null: it has not ended. */
let outcome: (envelope: EventEnvelope) => Partial<RecordRow> | null = () => ({ status: 'completed' });

beforeAll(async () => {
  lab = await startLab({ SLUICE_REPLAY_WINDOW: '5' });
  owner = await lab.owner();
  const runs = createRunStore(lab.pool);
  lease = await ownPartition(runs);
  await lab.bus.subscribe({
    topic: eventsInbound.name, group: 'test', fromStart: true,
    handlers: {
      assigned: () => undefined, revoked: () => undefined,
      messages: async (_partition, messages) => {
        for (const envelope of messages.map(({ value }) => decodeEnvelope(value!))) {
          published.push(envelope);
          const row = outcome(envelope);
          if (row) await settle(envelope, row);
        }
      },
    },
  });
});
afterAll(() => lab.stop());
beforeEach(async () => {
  connectorId = (await owner.post('/api/connectors', { name: `Shop ${randomUUID()}` }).expect(201)).body.id;
  published.length = 0;
  outcome = () => ({ status: 'completed' });
});

async function settle(envelope: EventEnvelope, row: Partial<RecordRow>): Promise<void> {
  const unit = { eventId: envelope.event_id, entityIndex: envelope.entity_index, run: envelope.run };
  const made = aRow(unit, {
    connectorId: envelope.connector_id, organizationId: owner.organizationId, createdAt: envelope.accepted_at, ...row,
    completedAt: new Date().toISOString(),
  });
  await createRunStore(lab.pool).settle(
    [aSettlement(lease, { unit, connectorId: envelope.connector_id, verdict: { kind: 'rows', rows: [made] } })]);
}

let minutes = 10_000;
/** A record that was accepted and ended, each later than those before. */
async function record(row: Partial<RecordRow> = {}, withEvent = true): Promise<RecordRow> {
  minutes -= 1;
  const createdAt = row.createdAt ?? new Date(Date.now() - minutes * 60_000).toISOString();
  const unit = row.unit ?? { eventId: `evt_${randomUUID()}`, entityIndex: 0, run: 'first' };
  const made = aRow(unit, {
    status: 'failed', error: 'no', replayable: true, completedAt: createdAt, ...row, createdAt, connectorId,
    organizationId: owner.organizationId,
  });
  if (withEvent) await createEventIndex(lab.pool).write([anIndexRow({ ...unit, connectorId, acceptedAt: createdAt,
    lane: `${connectorId}:customer:C-1` })]);
  await createRunStore(lab.pool).settle([aSettlement(lease, { unit, connectorId, verdict: { kind: 'rows', rows: [made] } })]);
  return made;
}
const records = async (count: number): Promise<RecordRow[]> => {
  const made: RecordRow[] = [];
  for (let n = 0; n < count; n += 1) made.push(await record());
  return made;
};

const path = (rest = ''): string => `/api/connectors/${connectorId}/replays${rest}`;
const job = async (id: string) => (await owner.get(path(`/${id}`)).expect(200)).body;
const begin = async (body: object) => (await owner.post(path(), body).expect(202)).body;
async function ended(id: string) {
  await until('the job has ended', async () => !['queued', 'running'].includes((await job(id)).status));
  return job(id);
}
const replayAll = async (body: object) => ended((await begin(body)).id);
const counts = ({ matched, replayed, skipped, failed }: Record<string, number>) => ({ matched, replayed, skipped, failed });
const eventsOf = (): string[] => published.map(({ event_id: id }) => id);

it('replays what a filter matches, in the order of acceptance, and ends when all of it has ended', async () => {
  const made = await records(12);
  await record({ status: 'completed', replayable: false });
  await record({ status: 'skipped', replayable: false });
  const created = await begin({ filter: {} });
  expect(created).toMatchObject({ matched: 0, replayed: 0, dry_run: false, force: false, rate_per_second: null,
    completed_at: null });
  const done = await ended(created.id);
  expect(done).toMatchObject({ status: 'completed', matched: 12, replayed: 12, skipped: 0, failed: 0 });
  expect(eventsOf()).toEqual(made.map(({ unit }) => unit.eventId));
  expect(published[0]).toMatchObject({ run: `replay-${created.id}`, kind: 'replay', connector_id: connectorId });
  expect(counts(await replayAll({ filter: {} }))).toEqual({ matched: 12, replayed: 0, skipped: 12, failed: 0 });
});

it.each([
  ['status', { status: ['parked'] }], ['flow', { flow: 'orders' }], ['entity', { entity: 'order' }],
  ['external_ids', { external_ids: ['O-1', 'O-2'] }],
])('a filter by %s', async (_, filter) => {
  await record();
  const wanted = await record({ status: 'parked', flowName: 'orders', entityName: 'order', externalId: 'O-1' });
  expect(counts(await replayAll({ filter }))).toMatchObject({ matched: 1, replayed: 1 });
  expect(eventsOf()).toEqual([wanted.unit.eventId]);
});

it('a filter by accept time: since inclusive, until exclusive', async () => {
  const [first, second, third] = await records(3);
  const body = { filter: { since: first!.createdAt, until: third!.createdAt } };
  await replayAll(body);
  expect(eventsOf()).toEqual([first!.unit.eventId, second!.unit.eventId]);
});

it('ids name rows, each once; a job with an unknown one is refused whole', async () => {
  const [first, second] = await records(3);
  const foreign = await lab.owner();
  const other = (await foreign.post('/api/connectors', { name: 'Other' }).expect(201)).body.id;
  await foreign.post(`/api/connectors/${other}/replays`, { ids: [first!.id] }).expect(422);
  const unknown = randomUUID();
  const { body } = await owner.post(path(), { ids: [first!.id, unknown] }).expect(422);
  expect(body.detail).toEqual([{
    type: 'unknown_record', loc: ['body', 'ids', 1], msg: 'This connector has no such record row', input: unknown,
  }]);
  expect(published).toEqual([]);
  expect(counts(await replayAll({ ids: [second!.id, first!.id, second!.id] }))).toMatchObject({ matched: 2, replayed: 2 });
  expect(eventsOf()).toEqual([first!.unit.eventId, second!.unit.eventId]);
});

it('needs a filter or ids, not both', async () => {
  expect((await owner.post(path(), {}).expect(422)).body.detail[0].loc).toEqual(['body', 'filter']);
  expect((await owner.post(path(), { filter: {}, ids: [randomUUID()] }).expect(422)).body.detail[0].loc).toEqual(['body', 'ids']);
  const bad = [{ filter: { status: ['completed'] } }, { ids: [] }, { filter: {}, rate_per_second: 0 },
    { filter: {}, rate_per_second: 1_001 }];
  for (const body of bad) await owner.post(path(), body).expect(422);
});

it('quarantined records are replayed with force alone', async () => {
  const row = await record({ status: 'quarantined' });
  expect(counts(await replayAll({ filter: {} }))).toEqual({ matched: 0, replayed: 0, skipped: 0, failed: 0 });
  expect(counts(await replayAll({ filter: { status: ['quarantined'] } }))).toEqual({ matched: 1, replayed: 0, skipped: 1,
    failed: 0 });
  expect(counts(await replayAll({ ids: [row.id] }))).toEqual({ matched: 1, replayed: 0, skipped: 1, failed: 0 });
  expect(counts(await replayAll({ filter: {}, force: true }))).toEqual({ matched: 1, replayed: 1, skipped: 0, failed: 0 });
  expect(published).toHaveLength(1);
  expect(published[0]!.forced).toBe(true);
});

it('a record that is being replayed, or has succeeded since, is skipped', async () => {
  const [underWay, done] = await records(2);
  outcome = () => null;
  await owner.post(`/api/connectors/${connectorId}/sync-events/${underWay!.id}/replay`).expect(202);
  await record({ unit: { ...done!.unit, run: 'replay-before' }, createdAt: done!.createdAt, status: 'completed',
    replayable: false }, false);
  expect(counts(await replayAll({ filter: {} }))).toEqual({ matched: 2, replayed: 0, skipped: 2, failed: 0 });
});

it('a record with several failing runs is matched once, by its newest row; one that was superseded since is not', async () => {
  const [twice, superseded] = await records(2);
  const later = (row: RecordRow, over: Partial<RecordRow>) => record({
    unit: { ...row.unit, run: 'replay-before' }, createdAt: row.createdAt, completedAt: new Date().toISOString(), ...over,
  }, false);
  const newest = await later(twice!, { status: 'parked' });
  await later(superseded!, { status: 'skipped', reason: 'superseded', replayable: false });
  expect(counts(await replayAll({ filter: {}, dry_run: true }))).toMatchObject({ matched: 1 });
  expect(counts(await replayAll({ filter: { status: ['failed'] } }))).toMatchObject({ matched: 0 });
  expect(counts(await replayAll({ filter: { status: ['parked'] } }))).toMatchObject({ matched: 1, replayed: 1 });
  expect(eventsOf()).toEqual([newest.unit.eventId]);
});

it('a replay that fails again is matched by the next job, not by its own', async () => {
  await record();
  outcome = () => ({ status: 'failed', error: 'still no', replayable: true });
  expect(counts(await replayAll({ filter: {} }))).toEqual({ matched: 1, replayed: 1, skipped: 0, failed: 0 });
  expect(counts(await replayAll({ filter: {} }))).toEqual({ matched: 1, replayed: 1, skipped: 0, failed: 0 });
  expect(published).toHaveLength(2);
});

it('a record whose payload is gone failed', async () => {
  await record({}, false);
  await record();
  expect(counts(await replayAll({ filter: {} }))).toEqual({ matched: 2, replayed: 1, skipped: 0, failed: 1 });
});

it('a dry run starts nothing', async () => {
  await records(3);
  const done = await replayAll({ filter: {}, dry_run: true });
  expect(done).toMatchObject({ status: 'completed', matched: 3, replayed: 0, skipped: 0, failed: 0, dry_run: true });
  expect(published).toEqual([]);
});

it('records that are accepted later do not belong to it', async () => {
  await record();
  await record({ createdAt: new Date(Date.now() + 3_600_000).toISOString() });
  expect(counts(await replayAll({ filter: {} }))).toMatchObject({ matched: 1 });
});

it('no more than a window is under way, and what is held does not count in it', async () => {
  await records(30);
  outcome = () => null;
  const { id } = await begin({ filter: {} });
  await until('the window is full', () => published.length === 5);
  await until('it is told', async () => (await job(id)).replayed === 5);
  await settle(published[0]!, { status: 'completed' });
  await until('one more', () => published.length === 6);
  outcome = () => ({ status: 'completed' });
  for (const envelope of published.slice(1)) await settle(envelope, { status: 'completed' });
  expect(await ended(id)).toMatchObject({ status: 'completed', replayed: 30 });
});

it('after a cancel nothing begins; what has begun ends', async () => {
  await records(30);
  outcome = () => null;
  const { id } = await begin({ filter: {} });
  await until('some began', () => published.length === 5);
  const cancelled = (await owner.post(path(`/${id}/cancel`)).expect(200)).body;
  expect(cancelled).toMatchObject({ id, status: 'cancelled', completed_at: expect.any(String) });
  for (const envelope of published) await settle(envelope, { status: 'completed' });
  await until('its task is gone', async () =>
    (await lab.pool.query('SELECT 1 FROM background_tasks WHERE key = $1', [id])).rowCount === 0);
  expect(published).toHaveLength(5);
  expect((await owner.post(path(`/${id}/cancel`)).expect(200)).body.status).toBe('cancelled');
});

it('a job that has ended cannot be cancelled', async () => {
  const { id } = await replayAll({ filter: {} });
  const { body } = await owner.post(path(`/${id}/cancel`)).expect(409);
  expect(body.detail).toEqual({ error: 'job_ended', status: 'completed' });
});

it('a step that the log does not take is undone and done again, and nothing is started twice', async () => {
  await records(7);
  (lab.bus as { down: boolean }).down = true;
  const { id } = await begin({ filter: {} });
  const failing = async () => (await lab.pool.query('SELECT error FROM background_tasks WHERE key = $1', [id])).rows[0]?.error;
  await until('it failed', async () => (await failing()) != null);
  expect(counts(await job(id))).toEqual({ matched: 0, replayed: 0, skipped: 0, failed: 0 });
  (lab.bus as { down: boolean }).down = false;
  expect(counts(await ended(id))).toEqual({ matched: 7, replayed: 7, skipped: 0, failed: 0 });
  expect(new Set(eventsOf()).size).toBe(published.length);
});

it('lists jobs newest first, and shows none of another connector or organization', async () => {
  const first = await replayAll({ filter: {} });
  const second = await replayAll({ filter: {}, rate_per_second: 5 });
  const { items, total } = (await owner.get(path('?limit=1')).expect(200)).body;
  expect([items.map(({ id }: { id: string }) => id), total]).toEqual([[second.id], 2]);
  expect((await owner.get(path('?offset=1')).expect(200)).body.items[0].id).toBe(first.id);
  const other = (await owner.post('/api/connectors', { name: `Other ${randomUUID()}` }).expect(201)).body.id;
  await owner.get(`/api/connectors/${other}/replays/${first.id}`).expect(404);
  await owner.post(`/api/connectors/${other}/replays/${first.id}/cancel`).expect(404);
  const stranger = await lab.owner();
  for (const rest of ['', `/${first.id}`]) await stranger.get(path(rest)).expect(404);
  await owner.get(path('/no-uuid')).expect(404);
});

it('runs also when the quota of the month is used up', async () => {
  await record();
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { limits: { events_limit: 0 } }).expect(200);
  expect(counts(await replayAll({ filter: {} }))).toMatchObject({ matched: 1, replayed: 1 });
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { limits: {} }).expect(200);
});

it('a job of a deleted connector ends', async () => {
  await records(10);
  outcome = () => null;
  const { id } = await begin({ filter: {} });
  await until('some began', () => published.length === 5);
  await owner.delete(`/api/connectors/${connectorId}`).expect(204);
  for (const envelope of published) await settle(envelope, { status: 'completed' });
  await until('its task is gone', async () =>
    (await lab.pool.query('SELECT 1 FROM background_tasks WHERE key = $1', [id])).rowCount === 0);
  expect(published).toHaveLength(5);
  await owner.get(path(`/${id}`)).expect(404);
});
