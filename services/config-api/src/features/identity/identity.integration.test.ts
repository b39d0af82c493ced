import type { ConfigDocument } from '@sluice/contracts';
import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterEach(() => lab.simulator.state.faults.clear());
afterAll(() => lab.stop());

/** Companies known by a number of our own, contacts by their address, and cars of a custom type. */
const config = (portalId: number): ConfigDocument => ({
  version: '3.0',
  entities: [
    { name: 'firm', schemas: { crm: { object_type: 'company', identity: { property: 'erp_no' } } } },
    { name: 'person', schemas: { crm: { object_type: 'contacts', identity: { property: 'email' } } } },
    { name: 'car', schemas: { crm: { object_type: `p${portalId}_car`, identity: { property: 'vin' } } } },
    { name: 'site', schemas: { crm: { object_type: 'companies', identity: { property: 'domain' } } } },
    { name: 'nameless', schemas: { crm: { object_type: 'deals' } } },
  ],
  flows: [], sources: [],
});

async function start(portalId: number) {
  const owner = await lab.owner();
  const settings = lab.simulator.state.portals.get(1_000_001)!.settings;
  const { accessToken } = lab.simulator.state.addPortal(portalId, { ...settings });
  const data = { access_token: accessToken };
  await owner.post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data }).expect(201);
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
  const path = `/api/connectors/${id}`;
  await owner.put(`${path}/draft`, config(portalId)).expect(200);
  await owner.post(`${path}/publish`).expect(200);
  const wire = async (url: string, method = 'GET', body?: object) => {
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${lab.crmUrl}/crm/v3/objects/${url}`, sent);
    return (await answer.json()) as { id: string; properties: Record<string, string> };
  };
  const create = async (type: string, properties: object) => (await wire(type, 'POST', { properties })).id;
  const body = (entity: string, property: string, value: string, externalId: string) =>
    ({ entity_type: entity, match_property: property, match_value: value, external_id: externalId });
  const adopt = (...given: Parameters<typeof body>) => owner.post(`${path}/identity/adopt`, body(...given));
  const adopted = async (...given: Parameters<typeof body>) => (await adopt(...given).expect(200)).body;
  const count = async (entity?: string) =>
    (await owner.get(`${path}/identity-mappings/count${entity ? `?entity_type=${entity}` : ''}`).expect(200)).body.count;
  return { owner, id, path, wire, create, adopt, adopted, count };
}

test('adopts the one record that matches: the identity is written, the mapping saved, and a repeat finds both', async () => {
  const { wire, create, adopted, count } = await start(9_000_001);
  const crmId = await create('companies', { name: 'One', domain: 'one.example' });
  expect(await adopted('firm', 'domain', 'one.example', 'K-1')).toEqual({
    status: 'adopted', crm_id: crmId, entity_type: 'firm', object_type: 'companies', external_id: 'K-1', message: null,
    candidates: [],
  });
  expect((await wire(`companies/${crmId}?properties=erp_no`)).properties.erp_no).toBe('K-1');
  expect(await adopted('firm', 'domain', 'one.example', 'K-1')).toMatchObject({ status: 'already_mapped', crm_id: crmId });
  expect([await count(), await count('firm'), await count('person')]).toEqual([1, 1, 0]);
});

test('a value that does not match exactly one free record changes nothing', async () => {
  const { wire, create, adopted, count } = await start(9_000_002);
  const first = await create('companies', { name: 'Twin', domain: 'a.example', city: 'Graz' });
  const second = await create('companies', { name: 'Twin', domain: 'b.example', erp_no: 'K-9', city: 'Wien' });
  expect(await adopted('firm', 'name', 'Nobody', 'K-1')).toMatchObject({ status: 'not_found', crm_id: null, candidates: [] });
  const ambiguous = await adopted('firm', 'name', 'Twin', 'K-1');
  expect([ambiguous.status, ambiguous.crm_id, ambiguous.candidates.sort()]).toEqual(['ambiguous', null, [first, second].sort()]);
  expect(await adopted('firm', 'city', 'Wien', 'K-1')).toMatchObject({ status: 'identity_conflict', crm_id: second });
  expect(await adopted('firm', 'city', 'Graz', 'K-9')).toMatchObject({ status: 'identity_conflict', crm_id: second });
  expect((await wire(`companies/${first}?properties=erp_no`)).properties.erp_no).toBeNull();
  expect((await wire(`companies/${second}?properties=erp_no`)).properties.erp_no).toBe('K-9');
  expect(await count()).toBe(0);
  expect(await adopted('firm', 'city', 'Wien', 'K-9')).toMatchObject({ status: 'adopted', crm_id: second });
  // The CRM does not keep domains unique: only the adoption finds the second record.
  const plain = await create('companies', { name: 'Plain' });
  expect(await adopted('site', 'name', 'Plain', 'a.example')).toMatchObject({ status: 'identity_conflict', crm_id: first });
  expect((await wire(`companies/${plain}?properties=domain`)).properties.domain).toBeNull();
  await create('contacts', { email: 'ada@shop.example' });
  expect(await adopted('person', 'email', 'ada@shop.example', 'Ada@Shop.example')).toMatchObject({ status: 'adopted' });
  expect(await adopted('person', 'email', 'ada@shop.example', 'ada@shop.example')).toMatchObject({ status: 'identity_conflict' });
});

test('refuses other kinds of record and values that the CRM refuses, and reports a failing CRM', async () => {
  const { owner, path, create, adopt, count } = await start(9_000_003);
  const type = async (...given: Parameters<typeof adopt>) => (await adopt(...given).expect(422)).body.detail[0].type;
  expect(await type('car', 'vin', 'x', 'K-1')).toBe('object_type_not_adoptable');
  expect(await type('nobody', 'vin', 'x', 'K-1')).toBe('undeclared_entity');
  expect(await type('nameless', 'dealname', 'x', 'K-1')).toBe('entity_without_identity');
  await create('contacts', { firstname: 'Ada' });
  const refused = (await adopt('person', 'firstname', 'Ada', 'no address').expect(422)).body.detail;
  expect(refused).toMatchObject([{ type: 'crm_rejected', loc: ['body', 'external_id'] }]);
  const unknown = (await adopt('person', 'no_such_property', 'x', 'K-1').expect(422)).body.detail;
  expect(unknown[0].loc).toEqual(['body', 'match_property']);
  lab.simulator.state.faults.add({
    portalId: 9_000_003, status: 503, probability: 1, headers: {}, drop: false, delayMs: 0, afterWrite: false,
  });
  expect((await adopt('person', 'firstname', 'Ada', 'ada@shop.example').expect(502)).body.detail.error).toBe('crm_unavailable');
  expect(await count()).toBe(0);
  const stranger = await lab.owner();
  for (const call of [
    stranger.get(`${path}/identity-mappings/count`),
    stranger.delete(`${path}/identity-mappings/record?entity_type=a&external_id=b`),
  ]) await call.expect(404);
  await owner.post(`${path}/identity/adopt`, { entity_type: 'person' }).expect(422);
});

test('one mapping is removed, and the runners drop it too', async () => {
  const { owner, id, path, create, adopted, count } = await start(9_000_004);
  const crmId = await create('companies', { name: 'One', domain: 'one.example' });
  await adopted('firm', 'domain', 'one.example', 'K/1 ä');
  const record = `${path}/identity-mappings/record?entity_type=firm&external_id=${encodeURIComponent('K/1 ä')}`;
  await owner.delete(`${path}/identity-mappings/record?entity_type=firm`).expect(422);
  await owner.delete(record).expect(204);
  await owner.delete(record).expect(404);
  expect(await count()).toBe(0);
  expect((await lab.configReader.connector(id))!.mappings_removed).toBe(1);
  expect(await adopted('firm', 'domain', 'one.example', 'K/1 ä')).toMatchObject({ status: 'adopted', crm_id: crmId });
});

describe('mappings of a data export', () => {
  const row = (externalId: string, crmId: string, entity = 'firm') =>
    ({ entity_type: entity, external_id: externalId, crm_id: crmId });
  const counts = (restored: number, unchanged: number, conflicts: object[] = []) => ({ restored, unchanged, conflicts });

  test('are saved once, however often they are sent, and change nothing that is there', async () => {
    const { owner, id, path, count } = await start(9_000_006);
    const restore = async (...mappings: object[]) =>
      (await owner.post(`${path}/identity-mappings`, { portal_id: '9000006', mappings }).expect(200)).body;
    const long = 'é'.repeat(1_024);
    const all = [row('K-1', '7'), row('K-2', '7'), row('V-1', '9', 'car'), row(long, '8')];
    expect(await restore(...all)).toEqual(counts(4, 0));
    expect(await restore(...all)).toEqual(counts(0, 4));
    const present = [row('K-1', '7'), row(long, '8')];
    expect(await restore(row('K-1', '70'), row('K-3', '3'), row(long, '80'))).toEqual(counts(1, 0, present));
    expect([await count(), await count('car')]).toEqual([5, 1]);
    const sql = "SELECT object_type, portal_id FROM identity_mappings WHERE connector_id = $1 AND external_id = 'K-1'";
    const { rows } = await lab.pool.query(sql, [id]);
    expect(rows).toEqual([{ object_type: 'companies', portal_id: '9000006' }]);
  });

  test('belong to the portal of the connector, and to entities of its config; owners and keys restore them', async () => {
    const { owner, path, count } = await start(9_000_007);
    const at = `${path}/identity-mappings`;
    const sent = (mappings: object[], portal = '9000007') => owner.post(at, { portal_id: portal, mappings });
    const places = async (...given: Parameters<typeof sent>) =>
      (await sent(...given).expect(422)).body.detail.map(({ loc, type }: { loc: unknown[]; type: string }) =>
        [loc.join('.'), type]);
    expect(await places([row('K-1', '7')], '1')).toEqual([['body.portal_id', 'other_portal']]);
    expect(await places([row('K-1', '7', 'nobody'), row('K-2', '7'), row('K-2', '8')])).toEqual([
      ['body.mappings.0.entity_type', 'undeclared_entity'], ['body.mappings.2.external_id', 'repeated'],
    ]);
    expect(await places([])).toEqual([['body.mappings', 'too_short']]);
    expect(await places(Array.from({ length: 1_001 }, (_, n) => row(`K-${n}`, '7')))).toEqual([['body.mappings', 'too_long']]);
    const member = await lab.member(owner.organizationId);
    const body = { portal_id: '9000007', mappings: [row('K-1', '7')] };
    expect((await member.post(at, body).expect(403)).body).toEqual({ detail: { error: 'owner_required' } });
    expect(await count()).toBe(0);
    const key = (await owner.post('/api/org-api-keys', { label: 'key' }).expect(201)).body.raw_key as string;
    expect((await lab.as(key).post(at, body).expect(200)).body.restored).toBe(1);
  });
});
