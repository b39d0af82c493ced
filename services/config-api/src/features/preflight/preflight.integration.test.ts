import type { ConfigDocument, Step } from '@sluice/contracts';
import { contactConfig } from '../../test-support/contact-config';
import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab({ SLUICE_PREFLIGHT_TIME: '2' }); });
afterEach(() => lab.simulator.state.faults.clear());
afterAll(() => lab.stop());

type Owner = Awaited<ReturnType<typeof lab.owner>>;
interface Finding { severity: string; code: string; field: string | null; reauthorize_scopes: string[] | null; message: string }

const fault = (given: object): void => void lab.simulator.state.faults.add({
  probability: 1, headers: {}, drop: false, delayMs: 0, afterWrite: false, ...given,
});

async function connect(owner: Owner, portalId: number, without: readonly string[] = []) {
  const settings = lab.simulator.state.portals.get(1_000_001)!.settings;
  const scopes = settings.scopes.filter((scope) => !without.includes(scope));
  const { accessToken } = lab.simulator.state.addPortal(portalId, { ...settings, scopes });
  const body = { name: `p${portalId}`, credential_type: 'crm_oauth', data: { access_token: accessToken } };
  return (await owner.post('/api/credentials', body).expect(201)).body.id as string;
}

async function start(options: { portalId?: number; without?: readonly string[]; tier?: string } = {}) {
  const owner = await lab.owner(options.tier);
  const credentialId = options.portalId === undefined ? null : await connect(owner, options.portalId, options.without);
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
  const path = `/api/connectors/${id}`;
  const run = async (query = '') => {
    const { errors, warnings, infos } = (await owner.get(`${path}/preflight${query}`).expect(200)).body;
    const all = [...errors, ...warnings, ...infos] as Finding[];
    return { all, codes: all.map(({ severity, code }) => `${severity} ${code}`).sort() };
  };
  return { owner, credentialId, path, run, put: (config: ConfigDocument) => owner.put(`${path}/draft`, config).expect(200) };
}

/** Contacts and companies with one flow of these steps. */
const withSteps = (...steps: Step[]): ConfigDocument => ({
  ...contactConfig,
  entities: [
    ...contactConfig.entities,
    {
      name: 'firm',
      schemas: {
        crm: {
          object_type: 'companies', identity: { property: 'domain' },
          field_mappings: [{ source: '$.payload.domain', target: 'domain' }],
        },
      },
    },
  ],
  flows: [{ ...contactConfig.flows[0]!, steps }],
});
const associate = (more: object): Step => ({
  id: 'link', action: 'associate', target: 'crm', from_entity: 'customer', to_entity: 'firm',
  from_external_id: '$.payload.email', to_external_id: '$.payload.domain', ...more,
});

test('a draft that is in order has no findings, and each finding has every key', async () => {
  const { run, put } = await start({ portalId: 8_000_001 });
  await put(contactConfig);
  expect((await run()).all).toEqual([]);
  const again = await start();
  expect((await again.run()).all).toEqual([
    {
      severity: 'warning', code: 'connector_has_no_credential', field: null, entity: null, event_flow: null,
      message: 'no portal is connected: nothing can be read from the CRM or written to it', suggestion: 'Connect a portal.',
      reauthorize_scopes: null,
    },
  ]);
});

test('reports what a publish refuses and findings about the document', async () => {
  const { run, put } = await start({ portalId: 8_000_002 });
  const config = withSteps({ id: 'a', action: 'skip', remark: 'x' });
  config.flows.push({ name: 'f', source: 'nowhere', event_type: 'x', steps: [] });
  await put(config);
  const { all, codes } = await run();
  expect(codes).toEqual(['error undeclared_source', 'warning unknown_step_key']);
  expect(all.map(({ field }) => field)).toEqual(['flows.1.source', 'flows.0.steps.0.remark']);
});

test('without a portal: a warning; with several and none chosen an error', async () => {
  const { owner, run } = await start({ portalId: 8_000_003 });
  await connect(owner, 8_000_004);
  expect((await run()).codes).toEqual(['error connector_has_no_credential']);
});

test('missing scopes: of object types, of attachments, of forms', async () => {
  const without = ['crm.objects.contacts.write', 'files', 'forms'];
  const { run, put } = await start({ portalId: 8_000_005, without });
  await put(withSteps(
    { id: 'up', action: 'upload_file', url: 'https://shop.example/a.pdf', filename: 'a.pdf' },
    { id: 'form', action: 'submit_form', form_id: 'f1', fields: [{ name: 'email', value: '$.payload.email' }] },
  ));
  const { all } = await run();
  const told = all.filter(({ reauthorize_scopes: scopes }) => scopes !== null);
  expect(told.map(({ code, reauthorize_scopes: scopes }) => [code, scopes])).toEqual([
    ['object_type_missing_scopes', ['crm.objects.contacts.write']],
    ['attachment_missing_scopes', ['files']],
    ['submit_form_missing_forms_scope', ['forms']],
  ]);
});

test('scopes that the CRM does not report are not checked; so is a type whose scopes are not known', async () => {
  const { run, put } = await start({ portalId: 8_000_006 });
  const config = withSteps();
  config.entities[1]!.schemas.crm = {
    object_type: 'quotes', identity: { property: 'hs_object_id' }, field_mappings: [{ source: '$.payload.id', target: 'hs_object_id' }],
  };
  await put(config);
  expect((await run()).codes).toEqual(['warning object_type_scopes_not_checked']);
  const answer = { hub_id: 8_000_006, scopes: [], expires_in: 1_800 };
  fault({ path: /access-tokens/, status: 200, body: answer });
  expect((await run()).codes).toEqual(['warning crm_scopes_not_checked', 'warning object_type_scopes_not_checked']);
});

test('associations: none defined, unknown and ambiguous ids, another category', async () => {
  const { run, put } = await start({ portalId: 8_000_007 });
  const codes = async (...steps: Step[]) => {
    await put(withSteps(...steps));
    return (await run()).codes;
  };
  expect(await codes(associate({ association_type_id: 279 }))).toEqual([]);
  expect(await codes(associate({ association_type_id: 999 }))).toEqual(['error unknown_association_type_id']);
  const other = { association_type_id: 279, association_category: 'USER_DEFINED' };
  expect(await codes(associate(other))).toEqual(['error association_category_mismatch']);
  const save = { id: 'save', action: 'upsert', target: 'crm', entity: 'customer' };
  const entry = { to_entity: 'firm', to_external_id: '$.payload.domain', association_type_id: 999 };
  expect(await codes({ ...save, associations: [entry] })).toEqual(['error unknown_association_type_id']);
  const both = ['HUBSPOT_DEFINED', 'USER_DEFINED'].map((category) => ({ category, typeId: 279, label: null }));
  fault({ path: /labels$/, status: 200, body: { results: both } });
  expect(await codes(associate({ association_type_id: 279 }))).toEqual(['error ambiguous_association_type_id']);
  expect(await codes(associate({ association_type_id: 279, association_category: 'CRM_DEFINED' }))).toEqual([]);
  lab.simulator.state.faults.clear();
  fault({ path: /labels$/, status: 200, body: { results: [] } });
  expect(await codes(associate({}))).toEqual(['error association_definition_missing']);
});

test('records that the portal holds without an identity value', async () => {
  const { run, put } = await start({ portalId: 8_000_008 });
  const config = withSteps();
  Object.assign(config.entities[1]!.schemas.crm!, {
    identity: { property: 'erp_no' }, field_mappings: [{ source: '$.payload.no', target: 'erp_no' }],
  });
  await put(config);
  expect((await run()).codes).toEqual([]);
  const create = (type: string, properties: object) => fetch(`${lab.crmUrl}/crm/v3/objects/${type}`, {
    method: 'POST', body: JSON.stringify({ properties }),
    headers: { authorization: 'Bearer sim-access-8000008', 'content-type': 'application/json' },
  });
  await create('contacts', { firstname: 'Ada' });
  await create('contacts', { email: 'bob@shop.example' });
  await create('companies', { name: 'One' });
  const { all } = await run();
  expect(all.map(({ code, field, message }) => [code, field, message.split(' ')[0]])).toEqual([
    ['existing_records_missing_identity_property', 'entities.0.schemas.crm.identity.property', '1'],
    ['existing_records_missing_identity_property', 'entities.1.schemas.crm.identity.property', '1'],
  ]);
});

test('names that mean nothing are findings of preflight and warnings of the draft', async () => {
  const { owner, path, run, put } = await start({ portalId: 8_000_016 });
  const tell = { id: 'tell', action: 'notify', url: 'https://x.example.com', message: '{$savee.crm_id}' };
  const config = withSteps({ ...tell, when: { found: 'tell' } });
  config.conflicts = { entities: { custmer: { strategy: 'target_wins' } } };
  await put(config);
  const codes = ['unknown_step_reference', 'later_step_reference', 'conflicts_of_unknown_entity'];
  expect((await run()).codes).toEqual(codes.map((code) => `error ${code}`).sort());
  const { warnings } = (await owner.get(`${path}/draft`).expect(200)).body;
  expect(warnings.map(({ severity, code }: Finding) => `${severity} ${code}`)).toEqual(codes.map((code) => `error ${code}`));
});

test('plugins: of another plan, and with a grant of a source that is not there', async () => {
  const { owner, run, put } = await start({ portalId: 8_000_009 });
  await owner.post('/api/plugins', { name: 'score', capabilities: { auth: ['erp'] } }).expect(201);
  await put(withSteps({ id: 'p', action: 'plugin', plugin: { logical_name: 'score', capabilities: { auth: ['none'] } } }));
  const unresolved = (await run()).all.find(({ code }) => code === 'plugin_unresolvable');
  expect(unresolved?.message).toBe("step 'p' names the plugin 'score', which was never promoted to live");
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { tier: 'pro' }).expect(200);
  expect((await run()).codes).toEqual(expect.arrayContaining([
    'error plugin_auth_grant_unknown_source', 'error plugin_step_tier_not_allowed',
  ]));
});

test('a candidate portal is checked in place of the bound one', async () => {
  const { owner, run, put } = await start({ portalId: 8_000_010 });
  await put(contactConfig);
  const candidate = await connect(owner, 8_000_011, ['crm.objects.contacts.read']);
  expect((await run(`?credential_id=${candidate}`)).codes).toEqual([
    'error object_type_missing_scopes', 'info preflight_candidate_credential', 'warning existing_records_not_checked',
  ]);
  fault({ portalId: 8_000_011, status: 401 });
  fault({ path: /access-tokens/, status: 404 });
  expect((await run(`?credential_id=${candidate}`)).codes).toEqual([
    'error candidate_credential_unusable', 'info preflight_candidate_credential', 'warning crm_scopes_not_checked',
    'warning object_type_scopes_not_checked',
  ]);
  lab.simulator.state.faults.clear();
  const key = (await owner.post('/api/credentials', { name: 'k', credential_type: 'api_key', data: { value: 'a-key' } })).body.id;
  const stranger = await lab.owner();
  const foreign = await connect(stranger, 8_000_012);
  const path = (await owner.get('/api/connectors')).body.items[0].id as string;
  await owner.get(`/api/connectors/${path}/preflight?credential_id=${foreign}`).expect(404);
  const refused = await owner.get(`/api/connectors/${path}/preflight?credential_id=${key}`).expect(422);
  expect(refused.body.detail.error).toBe('credential_not_crm_oauth');
  await stranger.get(`/api/connectors/${path}/preflight`).expect(404);
});

test.each([
  ['the CRM knows the token, and refuses every call with it', (portalId: number) => fault({ portalId, status: 401 })],
  ['the account of the token is gone', (portalId: number) => void lab.simulator.state.portals.delete(portalId)],
  ['the CRM does not know the token', () => fault({ path: /access-tokens/, status: 404 })],
])('a candidate credential is unusable: %s', async (_what, refuse) => {
  for (const config of [contactConfig, { version: '3.1', entities: [], flows: [], sources: [] } as ConfigDocument]) {
    const { owner, run, put } = await start();
    await put(config);
    const portalId = 8_000_100 + Math.floor(Math.random() * 900_000);
    const candidate = await connect(owner, portalId);
    refuse(portalId);
    const { all } = await run(`?credential_id=${candidate}`);
    const errors = all.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code }) => code)).toEqual(['candidate_credential_unusable']);
    lab.simulator.state.faults.clear();
  }
});

test('a missing scope is no refused credential', async () => {
  const { owner, run, put } = await start();
  await put(contactConfig);
  const candidate = await connect(owner, 8_000_014, ['crm.objects.contacts.write']);
  fault({ portalId: 8_000_014, path: /properties/, status: 403 });
  expect((await run(`?credential_id=${candidate}`)).codes).toContain('error object_type_missing_scopes');
  expect((await run(`?credential_id=${candidate}`)).codes).not.toContain('error candidate_credential_unusable');
});

test('the credential that the connector is bound to is told to be unusable in the same way', async () => {
  const { run, put } = await start({ portalId: 8_000_015 });
  await put(contactConfig);
  fault({ portalId: 8_000_015, status: 401 });
  expect((await run()).codes.filter((code) => code.startsWith('error'))).toEqual(['error bound_credential_unusable']);
});

test.each([
  ['is down', { status: 503 }],
  ['cuts the connection', { drop: true }],
  ['does not answer', { delayMs: 8_000 }],
])('with a CRM that %s, parts are reported as not checked, and the answer is 200 in time', async (_what, trouble) => {
  const { run, put } = await start({ portalId: 8_000_020 + Math.floor(Math.random() * 900_000) });
  await put(withSteps(associate({})));
  fault({ ...trouble });
  expect((await run()).codes).toEqual([
    'warning association_definitions_not_checked', 'warning crm_scopes_not_checked', 'warning object_type_scopes_not_checked',
    'warning provisioning_not_checked',
  ]);
}, 20_000);

test('reports what a publish could not provision', async () => {
  const { run, put } = await start({ portalId: 8_000_013 });
  await put({ ...withSteps(), pipelines: [{ object_type: 'deals', label: 'Cars', stages: [{ label: 'Sold', closed: true }] }] });
  const { all } = await run();
  const message = expect.stringContaining('needs a probability') as unknown;
  expect(all).toMatchObject([{ severity: 'error', code: 'provisioning_failed', message }]);
});
