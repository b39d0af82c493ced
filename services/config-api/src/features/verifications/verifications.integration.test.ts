import { randomUUID } from 'node:crypto';
import { decodeEnvelope, entityLane, type EventEnvelope, eventsInbound } from '@sluice/contracts';
import type { PartitionLease, RecordRow } from '@sluice/ports';
import { aMapping, anIndexRow, aRow, aSettlement, ownPartition, until } from '@sluice/ports/testing';
import { createEventIndex, createRunStore } from '@sluice/store-postgres';
import { contactConfig } from '../../test-support/contact-config';
import { startLab } from '../../test-support/lab';

const portalId = 9_300_001;
let lab: Awaited<ReturnType<typeof startLab>>;
let owner: Awaited<ReturnType<typeof lab.owner>>;
let lease: PartitionLease;
let token: string;
let credentialId: string;
let connectorId: string;
/** The messages published for the runners, in order. */
const published: EventEnvelope[] = [];

const config = {
  ...contactConfig,
  entities: [{
    name: 'customer',
    schemas: {
      crm: {
        object_type: 'contacts', identity: { property: 'email' },
        field_mappings: [
          { source: '$.payload.email', target: 'email' }, { source: '$.payload.name', target: 'firstname' },
          { source: '$.payload.phone', target: 'phone' },
        ],
      },
    },
  }, {
    name: 'company',
    schemas: {
      crm: {
        object_type: 'companies', identity: { property: 'domain' }, identity_source_path: '$.payload.company',
        field_mappings: [{ source: '$.payload.domain', target: 'domain' }, { source: '$.payload.city', target: 'city' }],
      },
    },
  }],
  flows: [{
    name: 'customers', source: 'event_api', event_type: 'customer_synced',
    steps: [
      { id: 'save', action: 'upsert', entity: 'customer', target: 'crm' },
      { id: 'company', action: 'upsert', entity: 'company', target: 'crm', when: { exists: '$.payload.domain' } },
    ],
  }],
};

beforeAll(async () => {
  lab = await startLab();
  owner = await lab.owner();
  lease = await ownPartition(createRunStore(lab.pool));
  token = lab.simulator.state.addPortal(portalId, { ...lab.simulator.state.portals.get(1_000_001)!.settings }).accessToken;
  const credential = { name: 'portal', credential_type: 'crm_oauth', data: { access_token: token } };
  credentialId = (await owner.post('/api/credentials', credential).expect(201)).body.id;
  await lab.bus.subscribe({
    topic: eventsInbound.name, group: 'test', fromStart: true,
    handlers: {
      assigned: () => undefined, revoked: () => undefined,
      messages: async (_partition, messages) => void published.push(...messages.map(({ value }) => decodeEnvelope(value!))),
    },
  });
});
afterAll(() => lab.stop());
beforeEach(async () => {
  connectorId = await connector();
  published.length = 0;
});

async function connector(): Promise<string> {
  const asked = { name: `Shop ${randomUUID()}`, credential_id: credentialId };
  const { id } = (await owner.post('/api/connectors', asked).expect(201)).body;
  await owner.put(`/api/connectors/${id}/draft`, config).expect(200);
  await owner.post(`/api/connectors/${id}/publish`, {}).expect(200);
  return id;
}

const crm = async (method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${lab.crmUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  expect(answer.ok).toBe(true);
  return answer.status === 204 ? null : answer.json() as Promise<{ id: string }>;
};

let minutes = 10_000;
interface Event {
  externalId: string;
  payload: Record<string, string>;
  crmId: string | null;
  row?: Partial<RecordRow>;
  kept?: boolean;
  /** What a later step wrote: the row names the customer. */
  company?: { externalId: string; crmId: string };
}
/** An event that ended, as ingest-api and the runner keep it; each is accepted later than those before. */
async function ended({ externalId, payload, crmId, row = {}, kept = true, company }: Event): Promise<RecordRow> {
  minutes -= 1;
  const at = new Date(Date.now() - minutes * 60_000).toISOString();
  const unit = { eventId: `evt_${randomUUID()}`, entityIndex: 0, run: 'first' };
  const { organizationId } = owner;
  const event = {
    ...unit, connectorId, organizationId, acceptedAt: at, sourceName: 'event_api', sourceType: null, externalId,
    eventType: 'customer_synced', lane: entityLane(connectorId, 'customer', externalId),
    payload: Buffer.from(JSON.stringify(payload)),
  };
  if (kept) await createEventIndex(lab.pool).write([anIndexRow(event)]);
  const made = aRow(unit, {
    connectorId, organizationId, entityName: 'customer', externalId, crmId, status: 'completed', steps: [], createdAt: at,
    completedAt: at, replayable: false, ...row,
  });
  const position = { partition: lease.partition, offset: BigInt(10_000 - minutes), acceptedAt: at };
  const mapped = { connectorId, portalId: String(portalId), bindingEpoch: 1, position };
  const mappings = [
    ...(crmId === null ? [] : [aMapping({ ...mapped, externalId, crmId })]),
    ...(company ? [aMapping({ ...mapped, ...company, entity: 'company', objectType: 'companies' })] : []),
  ];
  const verdict = { kind: 'rows' as const, rows: [made] };
  await createRunStore(lab.pool).settle([aSettlement(lease, { unit, connectorId, verdict, mappings })]);
  return made;
}
/** A record of the CRM, and the event that wrote it. */
async function written(externalId: string, held: Record<string, string>, payload: Record<string, string>) {
  const { id } = (await crm('POST', '/crm/v3/objects/contacts', { properties: held }))!;
  return { id, row: await ended({ externalId, payload, crmId: id }) };
}
let people = 0;
const address = (): string => `p${(people += 1)}@shop.example`;

const path = (rest = ''): string => `/api/connectors/${connectorId}/verifications${rest}`;
const begin = async (body: object) => (await owner.post(path(), { entity: 'customer', ...body }).expect(202)).body;
const job = async (id: string) => (await owner.get(path(`/${id}`)).expect(200)).body;
async function verify(body: object) {
  const { id } = await begin(body);
  await until('the verification has ended', async () => !['queued', 'running'].includes((await job(id)).status), 100_000);
  return job(id);
}
const rowsOf = async (id: string, query = '') => (await owner.get(path(`/${id}/rows${query}`)).expect(200)).body;
const counts = ({ checked, matched, mismatched, missing, not_verifiable }: Record<string, number>) =>
  [checked, matched, mismatched, missing, not_verifiable];

it('compares records with the CRM, by what their last events wrote', async () => {
  const [a, b] = [address(), address()];
  await written('C-1', { email: a, firstname: 'Ada' }, { email: a, name: 'Ada' });
  const second = await written('C-2', { email: b, firstname: 'Else', phone: '1' }, { email: b, name: 'Bo' });
  const first = await begin({ external_ids: ['C-1', 'C-2', 'C-3', 'C-1'] });
  expect(first).toMatchObject({ entity: 'customer', status: 'queued', checked: 0, error: null, completed_at: null });
  await until('it has ended', async () => (await job(first.id)).status === 'completed');
  expect(counts(await job(first.id))).toEqual([3, 1, 1, 0, 1]);
  const { items } = await rowsOf(first.id);
  expect(items).toEqual([
    { external_id: 'C-1', crm_id: expect.any(String), status: 'matched', properties: [] },
    {
      external_id: 'C-2', crm_id: second.id, status: 'mismatched',
      properties: [{ name: 'firstname', expected: 'Bo', actual: 'Else' }],
    },
    { external_id: 'C-3', crm_id: null, status: 'not_verifiable', properties: [] },
  ]);
  const page = await rowsOf(first.id, '?limit=1');
  expect((await rowsOf(first.id, `?limit=1&cursor=${page.next_cursor}`)).items[0].external_id).toBe('C-2');
  expect((await rowsOf(first.id, '?status=mismatched')).items).toHaveLength(1);
  for (const query of ['?status=nope', '?cursor=nope', '?limit=201'])
    await owner.get(path(`/${first.id}/rows${query}`)).expect(422);
});

it('expects of each property what was written last; failed events are no expectation', async () => {
  const email = address();
  const { id } = await written('C-1', { email, firstname: 'New', phone: '5' }, { email, name: 'Old', phone: '5' });
  await ended({ externalId: 'C-1', payload: { email, name: 'New' }, crmId: id });
  await ended({ externalId: 'C-1', payload: { email, name: 'Never' }, crmId: null, row: { status: 'failed', replayable: true } });
  expect(counts(await verify({ external_ids: ['C-1'] }))).toEqual([1, 1, 0, 0, 0]);
  await crm('PATCH', `/crm/v3/objects/contacts/${id}`, { properties: { phone: '6' } });
  const found = await verify({ external_ids: ['C-1'] });
  expect((await rowsOf(found.id)).items[0].properties).toEqual([{ name: 'phone', expected: '5', actual: '6' }]);
});

it('tells what is missing from what nothing is known of', async () => {
  const [a, b, c] = [address(), address(), address()];
  const gone = await written('gone', { email: a }, { email: a });
  await crm('DELETE', `/crm/v3/objects/contacts/${gone.id}`);
  await ended({ externalId: 'refused', payload: { email: b }, crmId: null, row: { status: 'failed', replayable: true } });
  const { id } = (await crm('POST', '/crm/v3/objects/contacts', { properties: { email: c } }))!;
  await ended({ externalId: 'old', payload: { email: c }, crmId: id, kept: false });
  const done = await verify({ external_ids: ['gone', 'refused', 'old', 'never'] });
  const { items } = await rowsOf(done.id);
  expect(items.map(({ external_id: of, crm_id: at, status }: Record<string, unknown>) => [of, at, status])).toEqual([
    ['gone', gone.id, 'missing'], ['refused', null, 'missing'], ['old', id, 'not_verifiable'], ['never', null, 'not_verifiable'],
  ]);
});

it('compares records that a later step of a flow wrote, and repairs them by a replay of its event', async () => {
  const [email, domain] = [address(), `c${people}.example`];
  const customer = (await crm('POST', '/crm/v3/objects/contacts', { properties: { email } }))!;
  const company = (await crm('POST', '/crm/v3/objects/companies', { properties: { domain, city: 'Bonn' } }))!;
  const row = await ended({
    externalId: 'C-1', payload: { email, domain, company: 'K-1', city: 'Bonn' }, crmId: customer.id,
    company: { externalId: 'K-1', crmId: company.id },
  });
  for (const asked of [{ external_ids: ['K-1'] }, { sample: { count: 5 } }, { since: row.completedAt! }])
    expect(counts(await verify({ entity: 'company', ...asked }))).toEqual([1, 1, 0, 0, 0]);
  await crm('PATCH', `/crm/v3/objects/companies/${company.id}`, { properties: { city: 'Rome' } });
  const { id } = await verify({ entity: 'company', external_ids: ['K-1'] });
  expect((await rowsOf(id)).items).toEqual([{
    external_id: 'K-1', crm_id: company.id, status: 'mismatched',
    properties: [{ name: 'city', expected: 'Bonn', actual: 'Rome' }],
  }]);
  await owner.post(path(`/${id}/repair`)).expect(202);
  await until('it was published', () => published.length === 1);
  expect(published[0]).toMatchObject({ event_id: row.unit.eventId, kind: 'replay' });
  expect(published[0]).not.toHaveProperty('forced');
});

it.each([
  ['a count', { count: 3 }, 3], ['more than there are', { count: 100 }, 5], ['a percentage, rounded up', { percentage: 41 }, 3],
])('draws a sample of the mapped records: %s', async (_name, sample, checked) => {
  for (let n = 0; n < 5; n += 1) {
    const email = address();
    await written(`C-${n}`, { email }, { email });
  }
  expect(counts(await verify({ sample }))).toEqual([checked, checked, 0, 0, 0]);
});

it('takes records whose last write landed since', async () => {
  const [a, b] = [address(), address()];
  await written('C-1', { email: a }, { email: a });
  const { row } = await written('C-2', { email: b }, { email: b });
  const done = await verify({ since: row.completedAt });
  expect((await rowsOf(done.id)).items.map(({ external_id: id }: { external_id: string }) => id)).toEqual(['C-2']);
});

it.each([
  ['nothing', {}, 'sample'], ['two of them', { since: '2026-01-01T00:00:00Z', sample: { count: 1 } }, 'since'],
  ['an empty sample', { sample: {} }, 'sample'], ['a sample of both kinds', { sample: { count: 1, percentage: 1 } }, 'sample'],
  ['a percentage of nothing', { sample: { percentage: 0 } }, 'percentage'], ['no ids', { external_ids: [] }, 'external_ids'],
  ['an unknown entity', { entity: 'nope', sample: { count: 1 } }, 'entity'],
])('asks for exactly one kind of records: %s', async (_name, body, field) => {
  const { detail } = (await owner.post(path(), { entity: 'customer', ...body }).expect(422)).body;
  expect(detail.some(({ loc }: { loc: string[] }) => loc.at(-1) === field)).toBe(true);
});

it('needs a published version', async () => {
  const { id } = (await owner.post('/api/connectors', { name: `New ${randomUUID()}` }).expect(201)).body;
  const asked = { entity: 'customer', sample: { count: 1 } };
  const { body } = await owner.post(`/api/connectors/${id}/verifications`, asked).expect(409);
  expect(body.detail).toEqual({ error: 'connector_not_published' });
});

it('repeats what the CRM could not answer, and calls nothing missing when the credential is refused', async () => {
  const email = address();
  await written('C-1', { email }, { email });
  const always = { portalId, headers: {}, delayMs: 0, drop: false, afterWrite: false, probability: 1 };
  lab.simulator.state.faults.add({ ...always, status: 503, left: 3 });
  expect(counts(await verify({ external_ids: ['C-1'] }))).toEqual([1, 1, 0, 0, 0]);
  lab.simulator.state.faults.add({ ...always, status: 401 });
  const failed = await verify({ external_ids: ['C-1'] });
  lab.simulator.state.faults.clear();
  expect(failed).toMatchObject({ status: 'failed', checked: 0, missing: 0, error: expect.any(String) });
});

it('repairs what differs by a replay of the events that wrote it', async () => {
  const email = address();
  const { row } = await written('C-1', { email, firstname: 'Else' }, { email, name: 'Ada' });
  const { id } = await verify({ external_ids: ['C-1'] });
  const replay = (await owner.post(path(`/${id}/repair`)).expect(202)).body;
  await until('it was published', () => published.length === 1);
  expect(published[0]).toMatchObject({ event_id: row.unit.eventId, run: `replay-${replay.id}`, kind: 'replay' });
  expect(published[0]).not.toHaveProperty('forced');
  await owner.get(`/api/connectors/${connectorId}/replays/${replay.id}`).expect(200);
  const clean = await verify({ external_ids: ['never'] });
  expect((await owner.post(path(`/${clean.id}/repair`)).expect(409)).body.detail).toEqual({ error: 'nothing_to_repair' });
});

it('is cancelled once, and not repaired while it runs', async () => {
  // Its work has ended, and so does not end it once more.
  const { id } = await verify({ external_ids: ['C-1'] });
  await lab.pool.query("UPDATE verifications SET status = 'running', completed_at = NULL WHERE id = $1", [id]);
  expect((await owner.post(path(`/${id}/repair`)).expect(409)).body.detail).toEqual({ error: 'job_running' });
  expect((await owner.post(path(`/${id}/cancel`)).expect(200)).body).toMatchObject({ id, status: 'cancelled' });
  expect((await owner.post(path(`/${id}/cancel`)).expect(200)).body.status).toBe('cancelled');
  const done = await verify({ external_ids: ['C-2'] });
  const { body } = await owner.post(path(`/${done.id}/cancel`)).expect(409);
  expect(body.detail).toEqual({ error: 'job_ended', status: 'completed' });
});

it('lists verifications newest first, and shows none of another connector or organization', async () => {
  const [first, second] = [await begin({ external_ids: ['C-1'] }), await begin({ external_ids: ['C-1'] })];
  const { items, total } = (await owner.get(path('?limit=1')).expect(200)).body;
  expect([items[0].id, total]).toEqual([second.id, 2]);
  const other = await connector();
  for (const rest of ['', '/rows']) await owner.get(`/api/connectors/${other}/verifications/${first.id}${rest}`).expect(404);
  const stranger = await lab.owner();
  for (const rest of ['', `/${first.id}`, `/${first.id}/rows`]) await stranger.get(path(rest)).expect(404);
});
