import { randomUUID } from 'node:crypto';
import { decodeEnvelope, eventsInbound, type EventEnvelope } from '@sluice/contracts';
import { type ImportRowEnd, type PartitionLease, turnOfImportRun } from '@sluice/ports';
import { aRow, aSettlement, ownPartition, until } from '@sluice/ports/testing';
import { createRunStore } from '@sluice/store-postgres';
import { contactConfig } from '../../test-support/contact-config';
import { type Caller, startLab } from '../../test-support/lab';

type Outcome = Pick<ImportRowEnd, 'status'> & Partial<ImportRowEnd>;

let lab: Awaited<ReturnType<typeof startLab>>;
let owner: Awaited<ReturnType<typeof lab.owner>>;
let lease: PartitionLease;
let connectorId: string;
/** The messages published for the runners, in order. */
const published: EventEnvelope[] = [];
/** What the runner of these tests makes of a row; null: it has not ended. */
let outcome: (envelope: EventEnvelope) => Outcome | null = () => ({ status: 'completed' });

beforeAll(async () => {
  lab = await startLab({ SLUICE_IMPORT_WINDOW: '4', SLUICE_HELD_ROW_TTL: '3600' });
  owner = await lab.owner();
  lease = await ownPartition(createRunStore(lab.pool));
  const { accessToken } = lab.simulator.state.addPortal(9_200_001, { ...lab.simulator.state.portals.get(1_000_001)!.settings });
  const data = { access_token: accessToken };
  await owner.post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data }).expect(201);
  await lab.bus.subscribe({
    topic: eventsInbound.name, group: 'test', fromStart: true,
    handlers: {
      assigned: () => undefined, revoked: () => undefined,
      messages: async (_partition, messages) => {
        for (const envelope of messages.map(({ value }) => decodeEnvelope(value!))) {
          published.push(envelope);
          const end = outcome(envelope);
          if (end) await settle(envelope, end);
        }
      },
    },
  });
});
afterAll(() => lab.stop());
beforeEach(async () => {
  connectorId = await connector();
  published.length = 0;
  outcome = () => ({ status: 'completed' });
});

async function connector(by: Pick<Caller, 'post' | 'put'> = owner): Promise<string> {
  const { id } = (await by.post('/api/connectors', { name: `Shop ${randomUUID()}` }).expect(201)).body;
  await by.put(`/api/connectors/${id}/draft`, config).expect(200);
  await by.post(`/api/connectors/${id}/publish`, {}).expect(200);
  return id;
}

const config = {
  ...contactConfig,
  flows: [
    { ...contactConfig.flows[0]!, name: 'customers', event_type: 'customer_synced' },
    { ...contactConfig.flows[0]!, name: 'former', event_type: 'former.*', enabled: false },
  ],
};

async function settle(envelope: EventEnvelope, end: Outcome): Promise<void> {
  const unit = { eventId: envelope.event_id, entityIndex: 0, run: envelope.run };
  const row = aRow(unit, { connectorId: envelope.connector_id, organizationId: envelope.organization_id });
  const importRow = {
    ...envelope.import_row!, turn: turnOfImportRun(envelope.run), crmId: null, error: null, errorCode: null, ...end,
  };
  await createRunStore(lab.pool).settle([aSettlement(lease, {
    unit, connectorId: envelope.connector_id, verdict: { kind: 'rows', rows: [row] }, importRow,
  })]);
}

const path = (rest = ''): string => `/api/connectors/${connectorId}/bulk-imports${rest}`;
const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ external_id: `C-${n + 1}`, properties: { email: `c${n + 1}@shop.example` } }));
const begin = async (count: number) => (await owner.post(path(), { entity: 'customer', rows: rows(count) }).expect(202)).body;
const job = async (id: string) => (await owner.get(path(`/${id}`)).expect(200)).body;
async function ended(id: string) {
  await until('the import has ended', async () => !['queued', 'running', 'held'].includes((await job(id)).status));
  return job(id);
}
const linesOf = async (id: string, query = '') => (await owner.get(path(`/${id}/rows${query}`)).expect(200)).body;
const counts = ({ rows_done, rows_failed, rows_skipped, rows_held }: Record<string, number>) =>
  [rows_done, rows_failed, rows_skipped, rows_held];

/** Sends a form; fields may stand before or after the file. */
function upload(content: string, filename: string, fields: Record<string, string> = {}) {
  const sent = lab.api().post(path()).set('authorization', `Bearer ${owner.token}`);
  void sent.attach('file', Buffer.from(content), filename);
  for (const [name, value] of Object.entries({ entity: 'customer', ...fields })) void sent.field(name, value);
  return sent;
}
const refused = async (content: string, filename: string, fields: Record<string, string> = {}) =>
  (await upload(content, filename, fields).expect(422)).body.detail
    .map(({ loc, type }: { loc: string[]; type: string }) => [loc, type]);

describe('rows of a JSON request', () => {
  it('are stored before the answer, run in their order as events of their entity, and end with it', async () => {
    const first = await begin(10);
    expect(first).toMatchObject({
      entity: 'customer', event_type: 'customer_synced', status: 'queued', rows_total: 10, rows_done: 0, error: null,
      completed_at: null,
    });
    const done = await ended(first.id);
    expect(done).toMatchObject({ status: 'completed', rows_total: 10, completed_at: expect.any(String) });
    expect(counts(done)).toEqual([10, 0, 0, 0]);
    expect(published.map(({ external_id: id }) => id)).toEqual(rows(10).map(({ external_id: id }) => id));
    expect(published[0]).toMatchObject({
      kind: 'import', run: 'import-1', event_type: 'customer_synced', source_name: 'event_api', accepted_at: first.created_at,
      lane: `${connectorId}:customer:C-1`, payload: { email: 'c1@shop.example' }, import_row: { import_id: first.id, line: 1 },
    });
  });

  it('no more of them than a window are under way', async () => {
    outcome = () => null;
    const { id } = await begin(9);
    await until('the window is full', () => published.length === 4);
    await until('it runs', async () => (await job(id)).status === 'running');
    for (const envelope of published.slice(0, 2)) await settle(envelope, { status: 'completed' });
    await until('two more', () => published.length === 6);
    outcome = () => ({ status: 'completed' });
    for (const envelope of published.slice(2)) await settle(envelope, { status: 'completed' });
    expect(counts(await ended(id))).toEqual([9, 0, 0, 0]);
  });

  it('are told one by one, by status and in pages', async () => {
    outcome = ({ import_row }) => ({
      1: { status: 'completed' as const, crmId: '77' },
      2: { status: 'failed' as const, error: 'the email is taken', errorCode: 'crm_rejected' },
      3: { status: 'skipped' as const, errorCode: 'superseded' },
      4: { status: 'parked' as const, error: 'the CRM is away', errorCode: 'crm_unavailable' },
      5: { status: 'completed' as const },
    })[import_row!.line] as Outcome;
    const { id } = await begin(5);
    const done = await ended(id);
    expect([done.status, counts(done)]).toEqual(['completed_with_errors', [2, 2, 1, 0]]);
    const { items, next_cursor: none } = await linesOf(id);
    expect(items).toEqual([
      { line: 1, external_id: 'C-1', status: 'completed', crm_id: '77', error: null, error_code: null },
      { line: 2, external_id: 'C-2', status: 'failed', crm_id: null, error: 'the email is taken', error_code: 'crm_rejected' },
      { line: 3, external_id: 'C-3', status: 'skipped', crm_id: null, error: null, error_code: 'superseded' },
      { line: 4, external_id: 'C-4', status: 'parked', crm_id: null, error: 'the CRM is away', error_code: 'crm_unavailable' },
      { line: 5, external_id: 'C-5', status: 'completed', crm_id: null, error: null, error_code: null },
    ]);
    expect(none).toBeNull();
    const first = await linesOf(id, '?status=completed&limit=1');
    expect(first.items.map(({ line }: { line: number }) => line)).toEqual([1]);
    const second = await linesOf(id, `?status=completed&limit=1&cursor=${first.next_cursor}`);
    expect([second.items[0].line, second.next_cursor]).toEqual([5, null]);
    for (const query of ['?status=nope', '?cursor=nope', '?limit=201']) await owner.get(path(`/${id}/rows${query}`)).expect(422);
  });

  it('that are not well formed refuse the request, each with its problems', async () => {
    const { body } = await owner.post(path(), {
      entity: 'customer',
      rows: [{ external_id: '', properties: {} }, { external_id: 'C-2', properties: [] }, { external_id: 'C-3' }],
    }).expect(422);
    const places = body.detail.map(({ loc }: { loc: unknown[] }) => loc.slice(1).join('.'));
    expect(places.sort()).toEqual(['rows.0.external_id', 'rows.1.properties', 'rows.2.properties']);
    expect((await owner.get(path()).expect(200)).body).toEqual({ items: [], total: 0 });
  });

  it('are 10,000 at most', async () => {
    const many = Array.from({ length: 10_001 }, (_, n) => ({ external_id: `${n}`, properties: {} }));
    const { body } = await owner.post(path(), { entity: 'customer', rows: many }).expect(413);
    expect(body.detail).toMatchObject({ error: 'payload_too_large', limit_rows: 10_000 });
  });
});

const unreadable = { external_id: null, status: 'failed', crm_id: null, error_code: 'invalid_row' };

describe('rows of a file', () => {
  it('of a CSV: the column external_id and all others under their names, by physical lines', async () => {
    const text = '\uFEFFexternal_id,email,note\r\nC-1,a@shop.example,"two\nlines"\r\n\r\nC-2,b@shop.example\nC-3,"c ""x""",\n,d@shop.example,\n';
    const { id, rows_total: total } = (await upload(text, 'stock.CSV').expect(202)).body;
    expect(total).toBe(4);
    const done = await ended(id);
    expect([done.status, counts(done)]).toEqual(['completed_with_errors', [2, 2, 0, 0]]);
    expect(published.map(({ payload, import_row }) => [import_row!.line, payload])).toEqual([
      [2, { email: 'a@shop.example', note: 'two\nlines' }], [6, { email: 'c "x"', note: '' }],
    ]);
    expect((await linesOf(id, '?status=failed')).items).toEqual([
      { ...unreadable, line: 5, error: 'the row has 2 cells, the header 3' },
      { ...unreadable, line: 7, error: 'the external id is empty' },
    ]);
  });

  it('of a CSV with a mapping and another delimiter', async () => {
    const mapping = JSON.stringify({ external_id: 'Kunde', properties: { email: 'Mail' } });
    const fields = { mapping, delimiter: ';' };
    const { id } = (await upload('Mail;Kunde;Ort\na@shop.example;7;Ulm\n', 'kunden.csv', fields).expect(202)).body;
    await ended(id);
    expect(published.map(({ external_id, payload }) => [external_id, payload])).toEqual([['7', { email: 'a@shop.example' }]]);
  });

  it('of JSON Lines, as they are or with a mapping', async () => {
    const lines = '{"external_id":"C-1","properties":{"email":"a@shop.example","n":1}}\nno json\n\n{"external_id":"C-2"}\n';
    const plain = (await upload(lines, 'stock.jsonl').expect(202)).body;
    expect(counts(await ended(plain.id))).toEqual([1, 2, 0, 0]);
    const mapping = JSON.stringify({ external_id: 'id' });
    const mapped = (await upload('{"id":7,"email":"b@shop.example","tags":["x"]}', 'stock.jsonl', { mapping }).expect(202)).body;
    await ended(mapped.id);
    expect(published.map(({ external_id, payload }) => [external_id, payload])).toEqual([
      ['C-1', { email: 'a@shop.example', n: 1 }], ['7', { email: 'b@shop.example', tags: ['x'] }],
    ]);
  });

  it.each([
    ['a missing column', 'id,email\n1,a\n', 'a.csv', {}, ['body', 'file'], 'column_missing'],
    ['a duplicate column', 'external_id,email,email\n1,a,b\n', 'a.csv', {}, ['body', 'file'], 'column_duplicate'],
    ['no rows', 'external_id,email\n', 'a.csv', {}, ['body', 'file'], 'no_rows'],
    ['an empty file', '', 'a.jsonl', {}, ['body', 'file'], 'no_rows'],
    ['another kind of file', 'x', 'a.xlsx', {}, ['body', 'file'], 'file_kind'],
    ['a quoted cell without end', 'external_id,email\n1,"a\n', 'a.csv', {}, ['body', 'file'], 'csv_invalid'],
    ['a mapping that is no JSON', 'external_id\n1\n', 'a.csv', { mapping: '{' }, ['body', 'mapping'], 'json_invalid'],
    ['a mapping without id', 'external_id\n1\n', 'a.csv', { mapping: '{}' }, ['body', 'mapping', 'external_id'], 'value_error'],
    ['a mapped column that lacks', 'id\n1\n', 'a.csv', { mapping: '{"external_id":"x"}' }, ['body', 'file'], 'column_missing'],
    ['a delimiter of two characters', 'external_id\n1\n', 'a.csv', { delimiter: '||' }, ['body', 'delimiter'], 'value_error'],
  ] as const)('are refused before the answer: %s', async (_name, content, filename, fields, loc, type) => {
    expect(await refused(content, filename, fields)).toContainEqual([loc, type]);
    const leftSql = 'SELECT count(*)::int AS imports FROM bulk_imports WHERE connector_id = $1';
    const { rows: [left] } = await lab.pool.query(leftSql, [connectorId]);
    expect(left).toEqual({ imports: 0 });
  });

  it('a form without a file, or a body that is neither form nor JSON', async () => {
    const sent = lab.api().post(path()).set('authorization', `Bearer ${owner.token}`);
    expect((await sent.field('entity', 'customer').expect(422)).body.detail[0].loc).toEqual(['body', 'file']);
    const text = lab.api().post(path()).set('authorization', `Bearer ${owner.token}`).set('content-type', 'text/csv');
    await text.send('a,b').expect(415);
  });

  it('a file leaves nothing in the blob store', async () => {
    const { id } = (await upload('external_id\n1\n', 'a.csv').expect(202)).body;
    await ended(id);
    expect(await lab.blobs.deleteOlderThan('import-files', new Date(Date.now() + 60_000))).toBe(0);
  });

  it('503 while there is nowhere to store it', async () => {
    lab.takeBlobsAway(true);
    await upload('external_id\n1\n', 'a.csv').expect(503);
    lab.takeBlobsAway(false);
  });
});

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
    outcome = ({ import_row }) => (import_row!.line < 3 ? { status: 'completed' } : { status: 'failed', errorCode: 'x' });
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

  it('holds an import that runs; rows that are held too long fail and can be tried again', async () => {
    outcome = () => null;
    const { id } = await begin(6);
    await until('some began', () => published.length === 4);
    await pause('paused');
    await until('it is held', async () => (await job(id)).status === 'held');
    await lab.pool.query("UPDATE bulk_imports SET held_since = now() - interval '2 hours' WHERE id = $1", [id]);
    const expired = await ended(id);
    expect([expired.status, counts(expired)]).toEqual(['completed_with_errors', [0, 6, 0, 0]]);
    expect((await linesOf(id)).items[5]).toMatchObject({ status: 'failed', error_code: 'held_expired' });
    await pause('active');
    outcome = () => ({ status: 'completed' });
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
    connectorId = await connector(reviewed);
    const ask = async (count: number) =>
      (await reviewed.post(path(), { entity: 'customer', rows: rows(count) }).expect(202)).body as { id: string; status: string };
    const read = async (id: string) => (await reviewed.get(path(`/${id}`)).expect(200)).body;
    outcome = () => null;
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
    outcome = () => null;
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
    outcome = ({ import_row }) => (import_row!.line === 2 ? { status: 'failed', errorCode: 'x' } : { status: 'completed' });
    const { id } = await begin(3);
    expect((await ended(id)).status).toBe('completed_with_errors');
    outcome = () => ({ status: 'completed' });
    expect((await owner.post(path(`/${id}/retry`)).expect(202)).body).toMatchObject({ id, status: 'running', rows_failed: 0 });
    expect(await ended(id)).toMatchObject({ status: 'completed', rows_done: 3, rows_failed: 0 });
    expect(published.at(-1)).toMatchObject({ run: 'import-2', import_row: { line: 2 } });
    expect((await owner.post(path(`/${id}/retry`)).expect(409)).body.detail).toEqual({ error: 'nothing_to_retry' });
  });

  it('is refused while the import runs, and of rows that cannot be read', async () => {
    outcome = () => null;
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
  outcome = () => null;
  const { id } = await begin(9);
  await until('some began', () => published.length === 4);
  await owner.delete(`/api/connectors/${connectorId}`).expect(204);
  await owner.get(path(`/${id}`)).expect(404);
  for (const envelope of published) await settle(envelope, { status: 'failed', errorCode: 'connector_deleted' });
  await until('its task is gone', async () =>
    (await lab.pool.query('SELECT 1 FROM background_tasks WHERE key = $1', [id])).rowCount === 0, 50_000);
  expect(published).toHaveLength(4);
});
