import { sha256Hex } from '@sluice/service-kit';
import { eventually } from '@sluice/testkit';
import { lab, shareLab } from '../../test-support/shared-lab';
import { crmCredential, revisionOf } from './test-support/connector-lab';
import { portalBindingTests } from './test-support/portal-binding-tests';

shareLab();

test('create, read, list, change, delete', async () => {
  const owner = await lab.owner();
  const made = (await owner.post('/api/connectors', { name: ' Shop ' }).expect(201)).body;
  expect(made).toMatchObject({
    name: 'Shop',
    mode: 'live',
    status: 'active',
    credential_id: null,
    created_by_id: owner.userId,
    settings: {},
    health: { state: 'healthy', flows: [] },
    write_cap: null,
  });
  await owner.post('/api/connectors', { name: 'Second' }).expect(201);
  const list = (await owner.get('/api/connectors?limit=1').expect(200)).body;
  expect([list.total, list.items[0].name, list.items[0].health]).toEqual([2, 'Second', { state: 'healthy' }]);
  const settings = { ordering: 'connector', crm_provisioning: { property_group: 'shop' }, note: 'kept' };
  const changed = (
    await owner
      .patch(`/api/connectors/${made.id}`, { name: 'Renamed', status: 'paused', default_store_id: ' s1 ', settings })
      .expect(200)
  ).body;
  expect(changed).toMatchObject({ name: 'Renamed', status: 'paused', default_store_id: 's1', settings });
  expect((await owner.patch(`/api/connectors/${made.id}`, { settings: { other: 1 } }).expect(200)).body.settings).toEqual({
    other: 1,
  });
  await owner.patch(`/api/connectors/${made.id}`, { mode: 'test', statuss: 'x', settings: { ordering: 'none' } }).expect(422);
  await owner.patch(`/api/connectors/${made.id}`, { default_store_id: '  ' }).expect(422);
  const without = await owner.patch(`/api/connectors/${made.id}`, { default_store_id: null }).expect(200);
  expect(without.body.default_store_id).toBeNull();
  const stranger = await lab.owner();
  for (const call of [
    stranger.get(`/api/connectors/${made.id}`),
    stranger.patch(`/api/connectors/${made.id}`, { name: 'mine' }),
    stranger.delete(`/api/connectors/${made.id}`),
    stranger.get('/api/connectors/nonsense'),
    stranger.get(`/api/connectors/${made.id}/draft`),
  ]) {
    expect((await call.expect(404)).body).toEqual({ detail: { error: 'connector_not_found' } });
  }
  await owner.delete(`/api/connectors/${made.id}`).expect(204);
  await owner.get(`/api/connectors/${made.id}`).expect(404);
  await eventually(() => lab.change(made.id)?.deleted === true);
});

test('a text that is far too long for its field is refused at the field', async () => {
  const owner = await lab.owner();
  const { detail } = (await owner.post('/api/connectors', { name: 'x'.repeat(30_000) }).expect(422)).body;
  expect(detail).toMatchObject([{ loc: ['body', 'name'] }]);
});

test('a user or a key sets it active and paused, never to error', async () => {
  const owner = await lab.owner();
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
  const { raw_key: key } = (await owner.post('/api/org-api-keys', { label: 'ci' }).expect(201)).body;
  for (const caller of [owner, await lab.member(owner.organizationId), lab.as(key)]) {
    const { detail } = (await caller.patch(`/api/connectors/${id}`, { status: 'error' }).expect(422)).body;
    expect(detail).toMatchObject([{ type: 'enum', loc: ['body', 'status'], msg: "Input should be 'active' or 'paused'",
      input: 'error' }]);
    for (const status of ['paused', 'active'])
      expect((await caller.patch(`/api/connectors/${id}`, { status }).expect(200)).body.status).toBe(status);
  }
});

test('a change of the ordering gives a warning and is published, also a change by leaving out the key', async () => {
  const owner = await lab.owner();
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' })).body;
  const change = async (body: object): Promise<unknown[]> =>
    (await owner.patch(`/api/connectors/${id}`, body).expect(200)).body.warnings;
  const epoch = async (): Promise<number | undefined> => (await lab.configReader.connector(id))!.ordering_epoch;
  expect(await change({ settings: { ordering: 'record' } })).toEqual([]);
  expect(await epoch()).toBe(0);
  const changed = { severity: 'warning', code: 'ordering_changed', field: 'settings.ordering' };
  const said = (text: string): object[] => [{ ...changed, message: expect.stringContaining(text) }];
  expect(await change({ settings: { ordering: 'connector' } })).toMatchObject(said('from "record" to "connector"'));
  expect(await change({ settings: { ordering: 'connector', note: 1 }, name: 'Other' })).toEqual([]);
  expect(await epoch()).toBe(1);
  expect(await change({ settings: { note: 1 } })).toMatchObject(said('from "connector" to "record"'));
  expect(await change({ name: 'Third' })).toEqual([]);
  expect(await epoch()).toBe(2);
  for (const per_record_ordering of [true, true, false]) {
    await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { per_record_ordering }).expect(200);
  }
  expect(await epoch()).toBe(4);
});

test('keys of a connector: made once, listed without themselves, revoked', async () => {
  const owner = await lab.owner();
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' })).body;
  const key = (await owner.post(`/api/connectors/${id}/api-keys`, { label: 'backend' }).expect(201)).body;
  await eventually(() => lab.change(id)?.keys.length === 1);
  const listed = (await owner.get(`/api/connectors/${id}/api-keys`).expect(200)).body;
  expect(listed).toMatchObject({ total: 1, items: [{ id: key.id, label: 'backend', is_active: true, last_used_at: null }] });
  expect(JSON.stringify(listed)).not.toContain(key.raw_key);
  await owner.delete(`/api/connectors/${id}/api-keys/${key.id}`).expect(204);
  await eventually(() => lab.change(id)?.keys.length === 0);
  expect((await owner.get(`/api/connectors/${id}/api-keys`)).body.items[0].is_active).toBe(false);
  await owner.delete(`/api/connectors/${id}/api-keys/${id}`).expect(404);
  await owner.post(`/api/connectors/${id}/api-keys`, { label: 'x'.repeat(129), more: 1 }).expect(422);
});

test('plan limits and test connectors', async () => {
  const owner = await lab.owner('free');
  const raw = (await owner.post('/api/org-api-keys', { label: 'ci' })).body.raw_key;
  expect((await lab.as(raw).post('/api/connectors', { name: 'T', mode: 'test' }).expect(403)).body.detail.error).toBe(
    'api_key_cannot_create_test_connector',
  );
  expect((await owner.post('/api/connectors', { name: 'T', mode: 'test' }).expect(402)).body.detail.error).toBe(
    'plugin_system_not_allowed',
  );
  await owner.post('/api/connectors', { name: 'One' }).expect(201);
  expect((await owner.post('/api/connectors', { name: 'Two' }).expect(402)).body.detail).toMatchObject({
    error: 'connector_limit_reached',
    tier: 'free',
    limit: 1,
    usage: 1,
    upgrade_url: 'http://sluice.test/billing',
  });
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { limits: { connectors_limit: 2 } }).expect(200);
  await owner.post('/api/connectors', { name: 'Two' }).expect(201);
  expect((await owner.get('/api/v1/billing/me').expect(200)).body).toMatchObject({
    tier: 'free',
    connectors_used: 2,
    connectors_limit: 2,
    events_used_this_period: 0,
    seats_used: 1,
  });
  const enterprise = await lab.owner('enterprise');
  await enterprise.post('/api/connectors', { name: 'T', mode: 'test' }).expect(201);
});

test('keys are limited by the plan, per connector and for the organization', async () => {
  const owner = await lab.owner('free');
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' })).body;
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { limits: { api_keys_limit: 2 } }).expect(200);
  for (const path of [`/api/connectors/${id}/api-keys`, '/api/org-api-keys']) {
    for (const label of ['a', 'b']) await owner.post(path, { label }).expect(201);
    const { detail } = (await owner.post(path, { label: 'c' }).expect(402)).body;
    expect(detail).toMatchObject({ error: 'api_key_limit_reached', tier: 'free', limit: 2, usage: 2 });
    await owner.delete(`${path}/${(await owner.get(path)).body.items[0].id}`).expect(204);
    await owner.post(path, { label: 'c' }).expect(201);
  }
});

test('a connector is made with its first key, shown once; beyond the limit of keys neither is made', async () => {
  const owner = await lab.owner();
  const withKey = { name: 'Shop', create_api_key: true, api_key_label: ' backend ' };
  const made = (await owner.post('/api/connectors', withKey).expect(201)).body;
  const { raw_key: raw, ...key } = made.api_key;
  expect(key).toMatchObject({ label: 'backend', is_active: true });
  expect((await owner.get(`/api/connectors/${made.id}/api-keys`).expect(200)).body).toEqual({ items: [key], total: 1 });
  await eventually(() => lab.change(made.id)?.keys[0]?.hash === sha256Hex(raw));
  expect((await owner.get(`/api/connectors/${made.id}`).expect(200)).body).not.toHaveProperty('api_key');
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { limits: { api_keys_limit: 0 } }).expect(200);
  const { items: templates } = (await owner.get('/api/v1/templates').expect(200)).body;
  for (const path of ['/api/connectors', `/api/v1/connectors/from-template/${templates[0].id}`]) {
    const { detail } = (await owner.post(path, withKey).expect(402)).body;
    expect(detail).toMatchObject({ error: 'api_key_limit_reached', limit: 0, usage: 0 });
  }
  expect((await owner.get('/api/connectors').expect(200)).body.total).toBe(1);
});

test('its mode is set when it is made, and never changed', async () => {
  const owner = await lab.owner('enterprise');
  for (const mode of ['live', 'test']) {
    const { id } = (await owner.post('/api/connectors', { name: mode, mode }).expect(201)).body;
    for (const other of ['live', 'test']) {
      const { detail } = (await owner.patch(`/api/connectors/${id}`, { mode: other, name: 'Changed' }).expect(422)).body;
      expect(detail).toMatchObject([{ loc: ['body', 'mode'] }]);
    }
    expect((await owner.get(`/api/connectors/${id}`).expect(200)).body).toMatchObject({ mode, name: mode });
  }
});

test('known settings are checked, others are kept; what is refused changes nothing', async () => {
  const owner = await lab.owner();
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
  const patch = (settings: unknown) => owner.patch(`/api/connectors/${id}`, { settings });
  const kept = {
    ordering: 'connector', plugin_overrides: { 'plugin-a': { function_arn: 'arn:a', version: 3 } },
    crm_provisioning: { property_group: 'shop', property_group_label: 'Shop', property_prefix: 'shop_' },
    of_another_system: { deep: [1, null, { x: 'y' }] },
  };
  expect((await patch(kept).expect(200)).body.settings).toEqual(kept);
  const wrong: [object, string[]][] = [
    [{ ordering: 'none' }, ['ordering']],
    [{ plugin_overrides: { a: { function_arn: 'x' } } }, ['plugin_overrides', 'a', 'version']],
    [{ plugin_overrides: { a: { function_arn: 'x', version: 0 } } }, ['plugin_overrides', 'a', 'version']],
    [{ crm_provisioning: { property_group: '' } }, ['crm_provisioning', 'property_group']],
    [{ crm_provisioning: { label: 'x' } }, ['crm_provisioning', 'label']],
  ];
  for (const [settings, place] of wrong)
    expect((await patch(settings).expect(422)).body.detail[0].loc).toEqual(['body', 'settings', ...place]);
  expect((await owner.get(`/api/connectors/${id}`).expect(200)).body.settings).toEqual(kept);
});

test('every change raises the revision, and the whole state reaches the topic', async () => {
  const owner = await lab.owner();
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' })).body;
  const steps = [
    () => owner.patch(`/api/connectors/${id}`, { status: 'paused' }),
    () => owner.post(`/api/connectors/${id}/api-keys`, { label: 'k' }),
    () =>
      lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { state: 'suspended', per_record_ordering: true }),
    () => crmCredential(owner, 'sim-access-1000001'),
    () => owner.post(`/api/connectors/${id}/publish`),
  ];
  for (const step of steps) {
    const before = await revisionOf(id);
    expect((await step()).status).toBeLessThan(300);
    expect(await revisionOf(id)).toBe(before + 1);
  }
  const newest = await lab.configReader.connector(id);
  expect(newest).toMatchObject({
    status: 'paused',
    active_version: 1,
    organization: { state: 'suspended', per_record_ordering: true },
    binding: { portal_id: '1000001' },
  });
  await eventually(() => lab.change(id)?.revision === newest!.revision);
  expect(lab.change(id)).toEqual(newest);
  const revisions = lab.changes.filter(({ connector_id }) => connector_id === id).map(({ revision }) => revision);
  expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
});

test('changes wait while the broker is away and follow in order', async () => {
  const owner = await lab.owner();
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' })).body;
  await eventually(() => lab.change(id) !== undefined);
  lab.bus.down = true;
  await owner.patch(`/api/connectors/${id}`, { name: 'While away' }).expect(200);
  await owner.patch(`/api/connectors/${id}`, { name: 'Still away' }).expect(200);
  expect((await lab.operator.get('/operator/overview')).body.outbox.waiting).toBe(2);
  lab.bus.down = false;
  await eventually(() => lab.change(id)?.name === 'Still away');
  expect(lab.changes.filter(({ connector_id }) => connector_id === id).map(({ name }) => name)).toEqual([
    'Shop',
    'While away',
    'Still away',
  ]);
  await eventually(async () => (await lab.operator.get('/operator/overview')).body.outbox.waiting === 0);
});

portalBindingTests();
