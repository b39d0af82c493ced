import { sha256Hex } from '@sluice/service-kit';
import { eventually } from '@sluice/testkit';
import { contactConfig } from '../../test-support/contact-config';
import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const portal = (portalId: number) => {
  const made = lab.simulator.state.addPortal(portalId, { ...lab.simulator.state.portals.get(1_000_001)!.settings });
  return made.accessToken;
};
const crmCredential = (caller: Awaited<ReturnType<typeof lab.owner>>, token: string) =>
  caller.post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data: { access_token: token } });
const addMapping = (connectorId: string, portalId: string) => lab.pool.query(
  `INSERT INTO identity_mappings (connector_id, entity, external_id, portal_id, object_type, crm_id, binding_epoch) VALUES ($1, 'customer', 'c1', $2, 'contacts', '1', 1)`, [connectorId, portalId]);
const revisionOf = async (id: string): Promise<number> => (await lab.configReader.connector(id))!.revision;

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
      .patch(`/api/connectors/${made.id}`, { name: 'Renamed', status: 'paused', default_store_id: 's1', settings })
      .expect(200)
  ).body;
  expect(changed).toMatchObject({ name: 'Renamed', status: 'paused', default_store_id: 's1', settings });
  expect((await owner.patch(`/api/connectors/${made.id}`, { settings: { other: 1 } }).expect(200)).body.settings).toEqual({
    other: 1,
  });
  await owner.patch(`/api/connectors/${made.id}`, { mode: 'test', statuss: 'x', settings: { ordering: 'none' } }).expect(422);
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

describe('portal binding', () => {
  test('without a credential the only portal is used; with several portals none is', async () => {
    const owner = await lab.owner();
    const { id } = (await owner.post('/api/connectors', { name: 'Shop' })).body;
    expect((await lab.configReader.connector(id))!.binding).toBeNull();
    const first = (await crmCredential(owner, 'sim-access-1000001').expect(201)).body;
    expect((await lab.configReader.connector(id))!.binding).toEqual({ credential_id: first.id, portal_id: '1000001', epoch: 1 });
    const second = (await crmCredential(owner, portal(2_000_001)).expect(201)).body;
    expect((await lab.configReader.connector(id))!.binding).toBeNull();
    await owner.delete(`/api/credentials/${second.id}`).expect(204);
    expect((await lab.configReader.connector(id))!.binding).toEqual({ credential_id: first.id, portal_id: '1000001', epoch: 1 });
  });

  test('another portal needs a confirmation, which purges the mappings and raises the epoch for the runners', async () => {
    const owner = await lab.owner();
    const first = (await crmCredential(owner, 'sim-access-1000001')).body;
    const second = (await crmCredential(owner, portal(2_000_002))).body;
    const { id } = (await owner.post('/api/connectors', { name: 'Shop', credential_id: first.id }).expect(201)).body;
    await addMapping(id, '1000001');
    const refused = (await owner.patch(`/api/connectors/${id}`, { credential_id: second.id, name: 'Changed' }).expect(409)).body;
    expect(refused).toEqual({
      detail: {
        error: 'rebind_confirmation_required',
        old_portal_id: '1000001',
        new_portal_id: '2000002',
        identity_mapping_count: 1,
      },
    });
    expect((await owner.get(`/api/connectors/${id}`)).body).toMatchObject({ name: 'Shop', credential_id: first.id });
    await owner.patch(`/api/connectors/${id}`, { credential_id: second.id, confirm_rebind: true }).expect(200);
    expect((await lab.configReader.connector(id))!.binding).toEqual({ credential_id: second.id, portal_id: '2000002', epoch: 2 });
    expect((await lab.pool.query('SELECT count(*)::int AS n FROM identity_mappings WHERE connector_id = $1', [id])).rows).toEqual(
      [{ n: 0 }],
    );
    expect((await lab.pool.query('SELECT epoch FROM connector_bindings WHERE connector_id = $1', [id])).rows).toEqual([
      { epoch: 2 },
    ]);
  });

  test('another credential of the same portal is no rebind; a foreign or wrong one is refused', async () => {
    const owner = await lab.owner();
    const first = (await crmCredential(owner, 'sim-access-1000001')).body;
    const { id } = (await owner.post('/api/connectors', { name: 'Shop', credential_id: first.id })).body;
    await addMapping(id, '1000001');
    const again = (await crmCredential(owner, 'sim-access-1000001')).body;
    await owner.patch(`/api/connectors/${id}`, { credential_id: again.id }).expect(200);
    expect((await lab.configReader.connector(id))!.binding).toMatchObject({ credential_id: again.id, epoch: 1 });
    const foreign = (await crmCredential(await lab.owner(), 'sim-access-1000001')).body;
    const key = { name: 'erp', credential_type: 'api_key', data: { value: 'a-key' } };
    const wrong = (await owner.post('/api/credentials', key)).body;
    for (const credential_id of [foreign.id, wrong.id, 'nonsense']) {
      expect((await owner.patch(`/api/connectors/${id}`, { credential_id }).expect(400)).body.detail.error).toBe(
        'invalid_credential',
      );
      await owner.post('/api/connectors', { name: 'X', credential_id }).expect(400);
    }
  });

  test('a connector with mappings is never moved to the only portal left', async () => {
    const owner = await lab.owner();
    const first = (await crmCredential(owner, 'sim-access-1000001')).body;
    const { id } = (await owner.post('/api/connectors', { name: 'Shop', credential_id: first.id })).body;
    await addMapping(id, '1000001');
    const second = (await crmCredential(owner, portal(2_000_003))).body;
    await owner.delete(`/api/credentials/${first.id}`).expect(204);
    expect((await lab.configReader.connector(id))!.binding).toBeNull();
    await owner.patch(`/api/connectors/${id}`, { credential_id: second.id }).expect(409);
  });

  test('mappings that cannot be counted are reported as null, and a failed purge changes nothing', async () => {
    const owner = await lab.owner();
    const first = (await crmCredential(owner, 'sim-access-1000001')).body;
    const second = (await crmCredential(owner, portal(2_000_004))).body;
    const { id } = (await owner.post('/api/connectors', { name: 'Shop', credential_id: first.id })).body;
    await addMapping(id, '1000001');
    const move = (more: object) => owner.patch(`/api/connectors/${id}`, { credential_id: second.id, ...more });
    const locker = await lab.pool.connect();
    try {
      await locker.query('BEGIN; LOCK TABLE identity_mappings IN ACCESS EXCLUSIVE MODE');
      expect((await move({}).expect(409)).body.detail).toEqual({
        error: 'rebind_confirmation_required', old_portal_id: '1000001', new_portal_id: '2000004', identity_mapping_count: null,
      });
    } finally {
      await locker.query('ROLLBACK');
      locker.release();
    }
    await lab.pool.query(`CREATE FUNCTION refuse_purge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'kept'; END $$;
      CREATE TRIGGER refuse_purge BEFORE DELETE ON identity_mappings FOR EACH ROW EXECUTE FUNCTION refuse_purge()`);
    const revision = await revisionOf(id);
    expect((await move({ confirm_rebind: true, name: 'Moved' }).expect(502)).body.detail.error).toBe('rebind_failed');
    await lab.pool.query('DROP TRIGGER refuse_purge ON identity_mappings; DROP FUNCTION refuse_purge');
    expect((await owner.get(`/api/connectors/${id}`)).body).toMatchObject({ name: 'Shop', credential_id: first.id });
    expect((await lab.configReader.connector(id))!.binding).toMatchObject({ credential_id: first.id, epoch: 1 });
    expect(await revisionOf(id)).toBe(revision);
    expect((await lab.pool.query('SELECT FROM identity_mappings WHERE connector_id = $1', [id])).rowCount).toBe(1);
    await move({ confirm_rebind: true }).expect(200);
  });

  test('a publish and a rebind subscribe to the changes that the crm sources take', async () => {
    const owner = await lab.owner();
    const subscribed = (portalId: number) => [...lab.simulator.state.journal.subscriptions.values()]
      .filter((one) => one.portalId === portalId).map(({ objectTypeId, properties }) => [objectTypeId, properties]);
    const [first, second] = [(await crmCredential(owner, portal(2_000_007))).body,
      (await crmCredential(owner, portal(2_000_008))).body];
    const { id } = (await owner.post('/api/connectors', { name: 'Shop' })).body;
    await owner.patch(`/api/connectors/${id}`, { credential_id: first.id }).expect(200);
    const changes = { name: 'changes', type: 'crm', config: { triggers: [{ object_type: 'contacts', properties: ['city'] }] } };
    await owner.put(`/api/connectors/${id}/draft`, { version: '3.0', entities: [], flows: [], sources: [changes] }).expect(200);
    await owner.post(`/api/connectors/${id}/publish`).expect(200);
    expect(subscribed(2_000_007)).toEqual([['0-1', []]]);
    await owner.patch(`/api/connectors/${id}`, { credential_id: second.id, confirm_rebind: true }).expect(200);
    expect(subscribed(2_000_008)).toEqual([['0-1', []]]);
    lab.simulator.state.journal.subscriptions.clear();
    await owner.post(`/api/connectors/${id}/publish`, { force: true }).expect(200);
    expect(subscribed(2_000_008)).toEqual([['0-1', []]]);
  });

  test('a newly connected or bound portal is provisioned for active versions; after a failure it stays bound', async () => {
    const owner = await lab.owner();
    const { id } = (await owner.post('/api/connectors', { name: 'Shop' })).body;
    await owner.put(`/api/connectors/${id}/draft`, contactConfig).expect(200);
    await owner.post(`/api/connectors/${id}/publish`).expect(200);
    const created = (portalId: number): number => [...lab.simulator.state.calls.entries()].filter((call) =>
      call.portalId === portalId && call.path.endsWith('/properties/contacts/batch/create')).length;
    const first = (await crmCredential(owner, portal(2_000_005)).expect(201)).body;
    expect(created(2_000_005)).toBe(1);
    const token = portal(2_000_006);
    const second = (await crmCredential(owner, token).expect(201)).body;
    await owner.patch(`/api/connectors/${id}`, { credential_id: first.id }).expect(200);
    lab.simulator.state.faults.add({
      portalId: 2_000_006, status: 500, probability: 1, headers: {}, drop: false, delayMs: 0, afterWrite: false,
    });
    const moved = await owner.patch(`/api/connectors/${id}`, { credential_id: second.id, confirm_rebind: true }).expect(200);
    lab.simulator.state.faults.clear();
    expect([moved.body.portal_id, created(2_000_006)]).toEqual(['2000006', 0]);
    const told = lab.lines.find(({ message }) => message === 'a newly bound portal was not provisioned in full');
    expect(told).toMatchObject({ level: 'warn', fields: { connector_id: id, portal_id: '2000006' } });
  });
});
