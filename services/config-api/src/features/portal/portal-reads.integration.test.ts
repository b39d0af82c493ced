import { contactConfig } from '../../test-support/contact-config';
import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterEach(() => lab.simulator.state.faults.clear());
afterAll(() => lab.stop());

type Owner = Awaited<ReturnType<typeof lab.owner>>;

async function connect(owner: Owner, portalId: number): Promise<string> {
  const made = lab.simulator.state.addPortal(portalId, { ...lab.simulator.state.portals.get(1_000_001)!.settings });
  const data = { access_token: made.accessToken };
  return (await owner.post('/api/credentials', { name: `p${portalId}`, credential_type: 'crm_oauth', data }).expect(201)).body.id;
}
async function start(portalId: number) {
  const owner = await lab.owner();
  const credentialId = await connect(owner, portalId);
  const { id } = (await owner.post('/api/connectors', { name: 'Shop', credential_id: credentialId }).expect(201)).body;
  const path = `/api/connectors/${id}`;
  return { owner, credentialId, path, read: (what: string) => owner.get(`${path}/${what}`) };
}
const reads = (portalId: number): number =>
  [...lab.simulator.state.calls.entries()].filter((call) => call.portalId === portalId && call.method === 'GET').length;

test('properties, pipelines and association types of the bound portal', async () => {
  const { read } = await start(7_000_001);
  const properties = (await read('crm-properties/contacts').expect(200)).body;
  expect(properties.total).toBe(properties.items.length);
  expect(properties.items.find(({ name }: { name: string }) => name === 'email')).toEqual({
    name: 'email', label: 'Email', type: 'string', field_type: 'text', group: 'contactinformation', options: [], unique: true,
    read_only: false,
  });
  const pipelines = (await read('crm-pipelines/deals').expect(200)).body;
  expect(pipelines.items).toMatchObject([{ id: 'default', label: 'Sales Pipeline' }]);
  expect(pipelines.items[0].stages.at(-1)).toEqual({ id: 'closedlost', label: 'Closed Lost', probability: 0, closed: true });
  const [tickets] = (await read('crm-pipelines/tickets').expect(200)).body.items;
  expect(tickets.stages[0]).toMatchObject({ probability: null, closed: false });
  expect((await read('crm-association-types/contacts/companies').expect(200)).body.items).toEqual(
    expect.arrayContaining([{ type_id: 279, category: 'CRM_DEFINED', label: null }]),
  );
  expect((await read('crm-properties/contacts?limit=2&offset=1').expect(200)).body).toEqual({
    items: properties.items.slice(1, 3), total: properties.total,
  });
});

test('the portal of a candidate credential is read before the connector is bound to it', async () => {
  const { owner, path, read } = await start(7_000_002);
  const candidate = await connect(owner, 7_000_003);
  const stages = [{ label: 'Sold', displayOrder: 0, metadata: { probability: '1.0' } }];
  const pipeline = { label: 'Cars', displayOrder: 1, stages };
  const headers = { authorization: 'Bearer sim-access-7000003', 'content-type': 'application/json' };
  const body = JSON.stringify(pipeline);
  expect((await fetch(`${lab.crmUrl}/crm/v3/pipelines/deals`, { method: 'POST', headers, body })).status).toBe(201);
  const car = { name: 'car', label: 'Car', type: 'string', fieldType: 'text', groupName: 'contactinformation' };
  const property = JSON.stringify(car);
  const properties = `${lab.crmUrl}/crm/v3/properties/contacts`;
  expect((await fetch(properties, { method: 'POST', headers, body: property })).status).toBe(201);
  const hasCar = async (query: string) =>
    (await read(`crm-properties/contacts${query}`).expect(200)).body.items.some(({ name }: { name: string }) => name === 'car');
  expect(await hasCar('')).toBe(false);
  expect(await hasCar(`?credential_id=${candidate}`)).toBe(true);
  const labels = async (query: string) =>
    (await read(`crm-pipelines/deals${query}`).expect(200)).body.items.map(({ label }: { label: string }) => label);
  expect(await labels('')).toEqual(['Sales Pipeline']);
  expect(await labels(`?credential_id=${candidate}`)).toEqual(['Sales Pipeline', 'Cars']);
  const unbound = (await owner.post('/api/connectors', { name: 'Other' }).expect(201)).body.id;
  const elsewhere = `/api/connectors/${unbound}/crm-pipelines/deals`;
  expect((await owner.get(elsewhere).expect(422)).body.detail.code).toBe('crm_portal_not_bound');
  await owner.get(`${elsewhere}?credential_id=${candidate}`).expect(200);
  const stranger = await lab.owner();
  const foreign = await connect(stranger, 7_000_004);
  const key = { name: 'erp', credential_type: 'api_key', data: { value: 'a-key' } };
  const notCrm = (await owner.post('/api/credentials', key).expect(201)).body.id;
  for (const what of ['crm-pipelines/deals', 'crm-properties/deals', 'crm-association-types/deals/contacts']) {
    for (const id of [foreign, 'nonsense'])
      expect((await read(`${what}?credential_id=${id}`).expect(404)).body).toEqual({ detail: 'Credential not found' });
    expect((await read(`${what}?credential_id=${notCrm}`).expect(422)).body.detail.error).toBe('credential_not_crm_oauth');
    await stranger.get(`${path}/${what}`).expect(404);
  }
});

test('answers are cached for a while, until something is created from here', async () => {
  const { owner, path, read } = await start(7_000_005);
  const names = async () => (await read('crm-properties/contacts')).body.items.map(({ name }: { name: string }) => name);
  const before = reads(7_000_005);
  await Promise.all([names(), names()]);
  expect(await names()).not.toContain('shop_id');
  expect(reads(7_000_005)).toBe(before + 1);
  await owner.put(`${path}/draft`, contactConfig).expect(200);
  await owner.post(`${path}/provision`).expect(200);
  expect(await names()).toContain('shop_id');
});

test('while another process refreshes the credential, callers do not wait for it', async () => {
  const { owner, credentialId, read } = await start(7_000_007);
  const fault = { portalId: 7_000_007, probability: 1, headers: {}, drop: false, delayMs: 0, afterWrite: false };
  lab.simulator.state.faults.add({ ...fault, status: 401 });
  const other = await lab.pool.connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM credentials WHERE id = $1 FOR UPDATE', [credentialId]);
    const busy = await read('crm-pipelines/deals').expect(503, { detail: { error: 'credential_refresh_busy' } });
    expect(busy.headers['retry-after']).toBe('1');
  } finally {
    await other.query('ROLLBACK');
    other.release();
  }
  lab.simulator.state.faults.clear();
  await read('crm-pipelines/deals').expect(200);
  await owner.delete(`/api/credentials/${credentialId}`).expect(204);
});

test('a CRM that fails is a 502, and is asked again; a name it does not take is a 422', async () => {
  const { read } = await start(7_000_006);
  const fault = { portalId: 7_000_006, probability: 1, headers: {}, drop: false, delayMs: 0, afterWrite: false };
  for (const status of [500, 403]) {
    lab.simulator.state.faults.add({ ...fault, status });
    expect((await read('crm-pipelines/deals').expect(502)).body.detail.error).toBe('crm_unavailable');
    lab.simulator.state.faults.clear();
  }
  await read('crm-pipelines/deals').expect(200);
  const unknown = [
    'crm-properties/widgets', 'crm-pipelines/contacts', 'crm-association-types/contacts/widgets', 'crm-properties/0-999999',
  ];
  for (const what of unknown) expect((await read(what).expect(422)).body.detail.error).toBe('crm_object_type_unknown');
});
