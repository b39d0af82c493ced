import { createCrmSimulator, type CrmSimulator } from '@sluice/crm-simulator';
import type { CrmClient, CrmResult } from '@sluice/ports';
import { createCrmHttpClient } from './crm-http-client';

const access = { portalId: '1000001', accessToken: 'sim-access-1000001' };
const options = { timeoutMs: 5_000 };
const secret = 'the-client-secret';

let simulator: CrmSimulator;
let url: string;
let crm: CrmClient & { close(): Promise<void> };
beforeAll(async () => {
  simulator = createCrmSimulator();
  ({ url } = await simulator.start(0));
  crm = createCrmHttpClient({ baseUrl: url, clientId: 'app', clientSecret: secret });
});
const sim = async (method: string, path: string, body?: unknown): Promise<any> => {
  const response = await fetch(url + path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return response.json();
};
beforeEach(() => sim('POST', '/_sim/reset'));
afterAll(async () => {
  await crm.close();
  await simulator.stop();
});

/** The value of a call that went well. */
function value<T>(answer: CrmResult<T>): T {
  if (!answer.ok) throw new Error(`${answer.status} ${answer.code}: ${answer.message}`);
  return answer.value;
}
const write = (traceId: string, properties: Record<string, string | number | boolean | null>) => ({ traceId, properties });
const create = async (objectType: string, ...all: Record<string, string>[]): Promise<string[]> => {
  const { results } = value(await crm.batchCreate(access, objectType, all.map((properties, index) => write(`t${index}`, properties)), options));
  return all.map((_, index) => results.find((record) => record.traceId === `t${index}`)!.id);
};
const upsert = (...emails: string[]) => crm.batchUpsert(access, 'contacts', 'email', emails.map((id, index) => ({ id, ...write(`t${index}`, { city: 'Rome' }) })), options);

describe('records', () => {
  it('creates, and maps results by trace id, whatever their order', async () => {
    const answer = await crm.batchCreate(access, 'deals', [write('a', { dealname: 'A', dealstage: 'appointmentscheduled', amount: 3 }), write('b', { dealname: 'B', dealstage: 'appointmentscheduled' })], options);
    expect(answer.status).toBe(201);
    const { results } = value(answer);
    expect(results.find((record) => record.traceId === 'a')!.properties).toMatchObject({ dealname: 'A', amount: '3' });
    expect(results.find((record) => record.traceId === 'b')!.properties).toMatchObject({ dealname: 'B' });
  });

  it('updates, null clears a property, and an unknown id is an error of its own', async () => {
    const [id] = await create('contacts', { email: 'a@x.co', city: 'Rome' });
    const answer = await crm.batchUpdate(access, 'contacts', [{ id: id!, ...write('a', { city: null, firstname: 'Ann' }) }, { id: '999', ...write('b', { city: 'Oslo' }) }], options);
    expect(answer.status).toBe(207);
    expect(value(answer).results).toMatchObject([{ id }]);
    expect(value(answer).errors).toMatchObject([{ category: 'OBJECT_NOT_FOUND', ids: ['999'] }]);
    const { results } = value(await crm.batchRead(access, 'contacts', { ids: [id!], properties: ['city', 'firstname'] }, options));
    expect(results[0]!.properties['firstname']).toBe('Ann');
    expect(results[0]!.properties['city'] || null).toBeNull();
  });

  it('upserts and says which were new', async () => {
    expect(value(await upsert('a@x.co')).results).toMatchObject([{ isNew: true, properties: { email: 'a@x.co' } }]);
    const { results } = value(await upsert('a@x.co', 'b@x.co'));
    const isNew = (traceId: string) => results.find((record) => record.traceId === traceId)?.isNew;
    expect([isNew('t0'), isNew('t1')]).toEqual([false, true]);
  });

  it('names the trace ids of refused inputs', async () => {
    const answer = await crm.batchUpsert(access, 'contacts', 'email', [{ id: 'a@x.co', ...write('good', { city: 'Rome' }) }, { id: 'b@x.co', ...write('bad', { no_such_property: 'x' }) }], options);
    const named = answer.ok ? answer.value.errors.flatMap((error) => error.traceIds) : ['refused whole'];
    expect(named).toEqual(answer.ok ? ['bad'] : ['refused whole']);
    expect(answer.status).toBe(answer.ok ? 207 : 400);
  });

  it('reads by id and by a unique property, archived ones on request', async () => {
    const [id] = await create('contacts', { email: 'a@x.co' });
    expect(value(await crm.batchRead(access, 'contacts', { ids: ['a@x.co'], idProperty: 'email', properties: ['email'] }, options)).results).toMatchObject([{ id }]);
    await fetch(`${url}/crm/v3/objects/contacts/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${access.accessToken}` } });
    expect(value(await crm.batchRead(access, 'contacts', { ids: [id!], properties: [] }, options)).results).toEqual([]);
    expect(value(await crm.batchRead(access, 'contacts', { ids: [id!], properties: [], archived: true }, options)).results).toMatchObject([{ id, archived: true }]);
  });

  it('searches page by page', async () => {
    await create('contacts', ...[1, 2, 3].map((n) => ({ email: `${n}@x.co`, city: 'Rome' })));
    const filterGroups = [{ filters: [{ propertyName: 'city', operator: 'EQ', value: 'Rome' }] }];
    const first = value(await crm.search(access, 'contacts', { filterGroups, properties: ['email'], limit: 2 }, options));
    expect([first.results.length, first.total, first.after]).toEqual([2, 3, expect.any(String)]);
    const second = value(await crm.search(access, 'contacts', { filterGroups, properties: ['email'], limit: 2, after: first.after! }, options));
    expect([second.results.length, second.after]).toEqual([1, null]);
    expect(new Set([...first.results, ...second.results].map((record) => record.id)).size).toBe(3);
  });
});

describe('associations', () => {
  it('lists types, writes typed and default ones, reads and archives them', async () => {
    const [contact] = await create('contacts', { email: 'a@x.co' });
    const [one, two] = await create('companies', { name: 'One' }, { name: 'Two' });
    const types = value(await crm.associationTypes(access, 'contacts', 'companies', options));
    expect(types).toEqual(expect.arrayContaining([expect.objectContaining({ category: 'HUBSPOT_DEFINED', typeId: 279 })]));
    expect(value(await crm.batchAssociateDefault(access, 'contacts', 'companies', [{ fromId: contact!, toId: one! }], options))).toEqual({ done: 1, errors: [] });
    const typed = [{ fromId: contact!, toId: two!, types: [{ category: 'HUBSPOT_DEFINED', typeId: 279 }] }];
    expect(value(await crm.batchAssociate(access, 'contacts', 'companies', typed, options))).toEqual({ done: 1, errors: [] });
    const read = async () => value(await crm.batchReadAssociations(access, 'contacts', 'companies', [contact!], options));
    const [entry] = await read();
    expect(entry!.fromId).toBe(contact);
    expect(entry!.to.map((target) => target.id).sort()).toEqual([one, two].sort());
    expect(entry!.to[0]!.types).toEqual(expect.arrayContaining([expect.objectContaining({ typeId: 279 })]));
    expect(value(await crm.batchArchiveAssociations(access, 'contacts', 'companies', [{ fromId: contact!, toIds: [one!] }], options))).toBeNull();
    expect((await read())[0]!.to.map((target) => target.id)).toEqual([two]);
  });

  it('counts what was refused', async () => {
    const [contact] = await create('contacts', { email: 'a@x.co' });
    const [company] = await create('companies', { name: 'One' });
    const answer = await crm.batchAssociateDefault(access, 'contacts', 'companies', [{ fromId: contact!, toId: company! }, { fromId: contact!, toId: '999' }], options);
    if (answer.ok) expect(answer.value).toMatchObject({ done: 1, errors: [expect.anything()] });
    else expect(answer.kind).toBe('permanent');
  });
});

describe('definitions', () => {
  it('creates groups and properties and reads them back', async () => {
    expect(value(await crm.createPropertyGroup(access, 'contacts', { name: 'shop', label: 'Shop' }, options))).toBeNull();
    expect(value(await crm.propertyGroups(access, 'contacts', options))).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'shop', label: 'Shop' })]));
    const definition = { name: 'shop_id', label: 'Shop id', type: 'string', fieldType: 'text', groupName: 'shop', hasUniqueValue: true };
    expect(value(await crm.createProperties(access, 'contacts', [definition], options))).toEqual({ created: ['shop_id'], errors: [] });
    const all = value(await crm.properties(access, 'contacts', options));
    expect(all.find((property) => property.name === 'shop_id')).toMatchObject({ ...definition, readOnly: false });
    expect(all.some((property) => property.readOnly)).toBe(true);
  });
});

describe('tokens', () => {
  it('says whose a token is', async () => {
    expect(value(await crm.introspect(access.accessToken, options))).toMatchObject({ portalId: '1000001', scopes: expect.arrayContaining([expect.any(String)]) });
  });

  it('refreshes, and the new token works', async () => {
    const fresh = value(await crm.refreshToken('sim-refresh-1000001', options));
    expect(fresh).toMatchObject({ accessToken: expect.any(String), refreshToken: expect.any(String), expiresInS: expect.any(Number) });
    expect(value(await crm.introspect(fresh.accessToken, options)).portalId).toBe('1000001');
  });

  it('treats refused tokens as the caller\'s mistake', async () => {
    expect(await crm.introspect('no-such-token', options)).toMatchObject({ ok: false, kind: 'permanent', code: 'crm_token_refused' });
    expect(await crm.refreshToken('no-such-token', options)).toMatchObject({ ok: false, kind: 'permanent', code: 'crm_token_refused' });
    await sim('POST', '/_sim/faults', { path: 'oauth', status: 503 });
    expect(await crm.introspect('no-such-token', options)).toMatchObject({ kind: 'transient', code: 'crm_unavailable' });
  });
});

describe('what goes wrong', () => {
  const upserts = 'contacts/batch/upsert$';
  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ status: 400, body: { message: 'bad' } }, { kind: 'permanent', code: 'crm_rejected', message: 'bad' }],
    [{ status: 401 }, { kind: 'fatal', code: 'crm_unauthorized' }], [{ status: 403 }, { kind: 'fatal', code: 'crm_forbidden' }],
    [{ status: 404 }, { kind: 'permanent', code: 'crm_not_found' }], [{ status: 409 }, { kind: 'permanent', code: 'crm_conflict' }],
    [{ status: 423 }, { kind: 'transient', code: 'crm_locked', retryAfterMs: 2_000 }], [{ status: 477 }, { kind: 'transient', code: 'crm_migrating' }],
    [{ status: 429, headers: { 'Retry-After': '3' } }, { kind: 'transient', code: 'crm_rate_limited', retryAfterMs: 3_000 }],
    [{ status: 429, body: { policyName: 'DAILY' } }, { kind: 'transient', retryAfterMs: 900_000 }],
    [{ status: 500 }, { kind: 'transient', code: 'crm_unavailable' }], [{ status: 502, body: '<html>' }, { kind: 'transient' }],
    [{ drop: true }, { kind: 'transient', code: 'crm_unreachable', status: 0 }], [{ drop: true, after_write: true }, { kind: 'transient', code: 'crm_unreachable', status: 0 }],
  ])('%j is %j', async (fault, expected) => {
    await sim('POST', '/_sim/faults', { path: upserts, ...fault });
    expect(await upsert('a@x.co')).toMatchObject({ ok: false, status: fault['status'] ?? 0, ...expected });
  });

  it('gives up when no answer comes in time', async () => {
    await sim('POST', '/_sim/faults', { path: upserts, delay_ms: 2_000 });
    const answer = await crm.batchUpsert(access, 'contacts', 'email', [{ id: 'a@x.co', ...write('t', {}) }], { timeoutMs: 50 });
    expect(answer).toMatchObject({ ok: false, kind: 'transient', code: 'crm_timeout', status: 0 });
  });

  it('passes on what the CRM says of its limits', async () => {
    expect((await upsert('a@x.co')).rate).toBeUndefined();
    await sim('PATCH', '/_sim/portals/1000001', { burst_per_10s: 2 });
    expect((await upsert('a@x.co')).rate).toMatchObject({ max: 2, intervalMs: 10_000, remaining: expect.any(Number) });
    await upsert('a@x.co');
    expect(await upsert('a@x.co')).toMatchObject({ ok: false, status: 429, code: 'crm_rate_limited', retryAfterMs: 10_000, rate: { remaining: 0 } });
  });

  it('never says a secret', async () => {
    const said: string[] = [];
    for (const fault of [{ status: 401 }, { status: 500 }, { drop: true }, { delay_ms: 1_000 }]) {
      await sim('DELETE', '/_sim/faults');
      await sim('POST', '/_sim/faults', fault);
      const short = { timeoutMs: 200 };
      said.push(...(await Promise.all([crm.introspect('secret-access', short), crm.refreshToken('secret-refresh', short), crm.properties({ portalId: '1', accessToken: 'secret-access' }, 'contacts', short)])).map((answer) => JSON.stringify(answer)));
    }
    await sim('DELETE', '/_sim/faults');
    said.push(JSON.stringify(await crm.introspect('secret-access', options)), JSON.stringify(await crm.refreshToken('secret-refresh', options)));
    expect(said.filter((text) => /secret-access|secret-refresh|the-client-secret/.test(text))).toEqual([]);
  });
});
