import { randomUUID } from 'node:crypto';
import { until } from '@sluice/ports/testing';
import { lab } from '../../test-support/shared-lab';
import {
  begin, connector, connectorId, counts, ended, importInto, job, linesOf, owner, path, published, rows, runner, settle,
  shareImportLab, upload,
} from './test-support/import-lab';
import { importRowTests } from './test-support/import-row-tests';

shareImportLab();

importRowTests();
describe('what is imported', () => {
  it('must be an entity of the active version, with a flow of the event API for its events', async () => {
    const ask = async (body: object) => (await owner.post(path(), { rows: rows(1), ...body }).expect(422)).body.detail[0].loc;
    expect(await ask({ entity: 'nope' })).toEqual(['body', 'entity']);
    expect(await ask({ entity: 'customer', event_type: 'nope' })).toEqual(['body', 'event_type']);
    const disabled = await owner.post(path(), { entity: 'customer', event_type: 'former.one', rows: rows(1) }).expect(202);
    await ended(disabled.body.id);
    expect(published[0]).toMatchObject({ event_type: 'former.one', lane: `${connectorId}:customer:C-1` });
  });

  it('needs a published version, and an organization that is not stopped', async () => {
    const { id } = (await owner.post('/api/connectors', { name: `New ${randomUUID()}` }).expect(201)).body;
    const ask = { entity: 'customer', rows: rows(1) };
    const unpublished = await owner.post(`/api/connectors/${id}/bulk-imports`, ask).expect(409);
    expect(unpublished.body.detail).toEqual({ error: 'connector_not_published' });
    await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { state: 'suspended' }).expect(200);
    expect((await owner.post(path(), ask).expect(423)).body.detail).toEqual({ error: 'org_suspended' });
    await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { state: 'active' }).expect(200);
  });

  it('fits into the month as a whole or not at all; what was not written is given back, and used is what was', async () => {
    const small = await lab.owner();
    await lab.operator.patch(`/operator/organizations/${small.organizationId}`, { limits: { events_limit: 5 } }).expect(200);
    const id = await connector(small);
    const ask = (count: number) => small.post(`/api/connectors/${id}/bulk-imports`, { entity: 'customer', rows: rows(count) });
    const used = async () => (await small.get('/api/v1/billing/me').expect(200)).body.events_used_this_period;
    expect((await ask(6).expect(429)).body.detail).toMatchObject({
      error: 'quota_exceeded', events_used_this_period: 0, tier: 'enterprise', upgrade_url: expect.any(String),
      period_resets_at: expect.any(String),
    });
    runner.end = ({ import_row }) => (import_row!.line < 3 ? { status: 'completed' } : { status: 'failed', errorCode: 'x' });
    const answers = await Promise.all([ask(4), ask(4)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429]);
    const accepted = answers.find(({ status }) => status === 202)!.body.id as string;
    const state = async () => (await small.get(`/api/connectors/${id}/bulk-imports/${accepted}`).expect(200)).body.status;
    await until('it has ended', async () => (await state()) === 'completed_with_errors');
    expect(await used()).toBe(2);
    await until('the rest is given back', async () => (await ask(3)).status === 202);
  });
});

describe('a paused connector', () => {
  const pause = (status: 'paused' | 'active') => owner.patch(`/api/connectors/${connectorId}`, { status }).expect(200);

  it('takes an import, which is held and runs once the connector is active', async () => {
    await pause('paused');
    const held = await begin(3);
    expect([held.status, counts(held)]).toEqual(['held', [0, 0, 0, 3]]);
    expect((await linesOf(held.id, '?status=held')).items).toHaveLength(3);
    await pause('active');
    expect(counts(await ended(held.id))).toEqual([3, 0, 0, 0]);
  });

  it('lets an import end whose last rows had begun', async () => {
    runner.end = () => null;
    const { id } = await begin(4);
    await until('all began', () => published.length === 4);
    await pause('paused');
    await until('it is held', async () => (await job(id)).status === 'held');
    for (const envelope of published.splice(0)) await settle(envelope, { status: 'completed' });
    const done = await ended(id);
    expect([done.status, counts(done)]).toEqual(['completed', [4, 0, 0, 0]]);
  });

  it('holds an import that runs; rows that are held too long fail and can be tried again', async () => {
    runner.end = () => null;
    const { id } = await begin(6);
    await until('some began', () => published.length === 4);
    await pause('paused');
    await until('it is held', async () => (await job(id)).status === 'held');
    await lab.pool.query("UPDATE bulk_imports SET held_since = now() - interval '2 hours' WHERE id = $1", [id]);
    const expired = await ended(id);
    expect([expired.status, counts(expired)]).toEqual(['completed_with_errors', [0, 6, 0, 0]]);
    expect((await linesOf(id)).items[5]).toMatchObject({ status: 'failed', error_code: 'held_expired' });
    await pause('active');
    runner.end = () => ({ status: 'completed' });
    expect((await owner.post(path(`/${id}/retry`)).expect(202)).body.status).toBe('running');
    expect(counts(await ended(id))).toEqual([6, 0, 0, 0]);
  });
});

describe('a connector that its write cap has paused', () => {
  it('takes imports, whose rows are held; those that are held too long fail and can be tried again', async () => {
    const reviewed = await lab.owner('pro');
    await lab.operator.patch(`/operator/organizations/${reviewed.organizationId}`, { write_cap_review: true }).expect(200);
    const data = { access_token: 'sim-access-1000001' };
    await reviewed.post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data }).expect(201);
    importInto(await connector(reviewed));
    const ask = async (count: number) =>
      (await reviewed.post(path(), { entity: 'customer', rows: rows(count) }).expect(202)).body as { id: string; status: string };
    const read = async (id: string) => (await reviewed.get(path(`/${id}`)).expect(200)).body;
    runner.end = () => null;
    const running = await ask(6);
    await until('some began', () => published.length === 4);
    await tripWriteCap();
    await until('it is held', async () => (await read(running.id)).status === 'held');
    const later = await ask(1);
    expect(later.status).toBe('held');
    expect([counts(await read(later.id)), counts(await read(running.id))]).toEqual([[0, 0, 0, 1], [0, 0, 0, 6]]);
    await lab.pool.query("UPDATE bulk_imports SET held_since = now() - interval '2 hours' WHERE id = $1", [later.id]);
    await until('its row failed', async () => (await read(later.id)).status === 'completed_with_errors');
    const { items: [row] } = (await reviewed.get(path(`/${later.id}/rows?status=failed`)).expect(200)).body;
    expect(row).toMatchObject({ line: 1, error_code: 'held_expired', error: expect.stringContaining('held longer') });
    expect((await reviewed.post(path(`/${later.id}/retry`)).expect(202)).body.rows_failed).toBe(0);
    await until('it is held again', async () => counts(await read(later.id))[3] === 1);
  });

  /** As if the runner had written as many records as the cap lets it. */
  async function tripWriteCap(): Promise<void> {
    const written = 500;
    const answer = await lab.writeCaps.reserve(connectorId, written, 60_000);
    if (!answer.granted || answer.reservation === null) throw new Error('the connector has no write cap');
    await lab.writeCaps.settle({ connectorId, reservation: answer.reservation, written });
    await lab.writeCaps.tripReached();
  }
});

describe('cancel', () => {
  it('stops rows that have not begun, once', async () => {
    runner.end = () => null;
    const { id } = await begin(9);
    await until('the window is full', () => published.length === 4);
    const { body } = await owner.post(path(`/${id}/cancel`)).expect(200);
    expect([body.status, counts(body)]).toEqual(['cancelled', [0, 0, 9, 0]]);
    for (const envelope of published) await settle(envelope, { status: 'completed' });
    expect(counts(await job(id))).toEqual([4, 0, 5, 0]);
    const skipped = { line: 5, status: 'skipped', error_code: 'cancelled', error: null };
    expect((await linesOf(id, '?status=skipped')).items[0]).toMatchObject(skipped);
    expect((await owner.post(path(`/${id}/cancel`)).expect(200)).body.status).toBe('cancelled');
    await until('its task is gone', async () =>
      (await lab.pool.query('SELECT 1 FROM background_tasks WHERE key = $1', [id])).rowCount === 0);
    expect(published).toHaveLength(4);
  });

  it('of one that has ended is refused', async () => {
    const { id } = await begin(1);
    await ended(id);
    const { body } = await owner.post(path(`/${id}/cancel`)).expect(409);
    expect(body.detail).toEqual({ error: 'job_ended', status: 'completed' });
    await owner.post(path(`/${randomUUID()}/cancel`)).expect(404);
  });
});

describe('retry', () => {
  it('runs failed and parked rows again, and the import is completed when none is left', async () => {
    runner.end = ({ import_row }) => (import_row!.line === 2 ? { status: 'failed', errorCode: 'x' } : { status: 'completed' });
    const { id } = await begin(3);
    expect((await ended(id)).status).toBe('completed_with_errors');
    runner.end = () => ({ status: 'completed' });
    expect((await owner.post(path(`/${id}/retry`)).expect(202)).body).toMatchObject({ id, status: 'running', rows_failed: 0 });
    expect(await ended(id)).toMatchObject({ status: 'completed', rows_done: 3, rows_failed: 0 });
    expect(published.at(-1)).toMatchObject({ run: 'import-2', import_row: { line: 2 } });
    expect((await owner.post(path(`/${id}/retry`)).expect(409)).body.detail).toEqual({ error: 'nothing_to_retry' });
  });

  it('is refused while the import runs, and of rows that cannot be read', async () => {
    runner.end = () => null;
    const { id } = await begin(2);
    expect((await owner.post(path(`/${id}/retry`)).expect(409)).body.detail).toEqual({ error: 'job_running' });
    await owner.post(path(`/${id}/cancel`)).expect(200);
    const unreadable = (await upload('external_id,a\n1\n', 'a.csv').expect(202)).body;
    expect(await ended(unreadable.id)).toMatchObject({ status: 'completed_with_errors', rows_failed: 1 });
    expect((await owner.post(path(`/${unreadable.id}/retry`)).expect(409)).body.detail).toEqual({ error: 'nothing_to_retry' });
    await owner.post(path(`/${randomUUID()}/retry`)).expect(404);
  });
});

it('rows that a process marked and did not publish are published by the next', async () => {
  await owner.patch(`/api/connectors/${connectorId}`, { status: 'paused' }).expect(200);
  const { id } = await begin(3);
  await lab.pool.query('UPDATE bulk_imports SET cursor = 2 WHERE id = $1', [id]);
  await owner.patch(`/api/connectors/${connectorId}`, { status: 'active' }).expect(200);
  expect(counts(await ended(id))).toEqual([3, 0, 0, 0]);
  expect(published.map(({ import_row }) => import_row!.line)).toEqual([1, 2, 3]);
});

it('rows that the log does not take are published again', async () => {
  (lab.bus as { down: boolean }).down = true;
  const { id } = await begin(5);
  await until('it failed', async () =>
    (await lab.pool.query('SELECT error FROM background_tasks WHERE key = $1', [id])).rows[0]?.error != null);
  (lab.bus as { down: boolean }).down = false;
  expect(counts(await ended(id))).toEqual([5, 0, 0, 0]);
});

it('lists imports newest first, and shows none of another connector or organization', async () => {
  const first = await begin(1);
  lab.kv.now += 1_000;
  const second = await begin(1);
  const { items, total } = (await owner.get(path('?limit=1')).expect(200)).body;
  expect([items[0].id, total]).toEqual([second.id, 2]);
  expect((await owner.get(path('?offset=1')).expect(200)).body.items[0].id).toBe(first.id);
  const other = await connector();
  for (const rest of ['', '/rows']) await owner.get(`/api/connectors/${other}/bulk-imports/${first.id}${rest}`).expect(404);
  const stranger = await lab.owner();
  for (const rest of ['', `/${first.id}`, `/${first.id}/rows`]) await stranger.get(path(rest)).expect(404);
  await owner.get(path('/no-uuid')).expect(404);
  expect((await owner.get(`/api/connectors/${connectorId}/sync-jobs`).expect(200)).body).toEqual({ items: [], total: 0 });
});

it('ends when its connector is deleted', async () => {
  runner.end = () => null;
  const { id } = await begin(9);
  await until('some began', () => published.length === 4);
  await owner.delete(`/api/connectors/${connectorId}`).expect(204);
  await owner.get(path(`/${id}`)).expect(404);
  for (const envelope of published) await settle(envelope, { status: 'failed', errorCode: 'connector_deleted' });
  await until('its task is gone', async () =>
    (await lab.pool.query('SELECT 1 FROM background_tasks WHERE key = $1', [id])).rowCount === 0, 50_000);
  expect(published).toHaveLength(4);
});
