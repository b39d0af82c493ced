import { startLab } from '../../test-support/lab';
import { templates } from './templates';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const fromTemplate = (id: string): string => `/api/v1/connectors/from-template/${id}`;

test('templates are listed, and each is read with its config and events to try', async () => {
  const owner = await lab.owner();
  const { body: list } = await owner.get('/api/v1/templates').expect(200);
  expect(list.total).toBeGreaterThanOrEqual(6);
  expect(new Set(list.items.map(({ id }: { id: string }) => id)).size).toBe(list.total);
  expect((await owner.get('/api/v1/templates?limit=1&offset=1').expect(200)).body.items).toEqual([list.items[1]]);
  for (const summary of list.items) {
    const { body } = await owner.get(`/api/v1/templates/${summary.id}`).expect(200);
    expect(body).toMatchObject({ ...summary, config: { version: summary.config_version } });
    expect(body.sample_events.length).toBeGreaterThan(0);
  }
  expect((await owner.get('/api/v1/templates/none').expect(404)).body).toEqual({ detail: 'Not Found' });
});

test.each(templates.map(({ id }) => id))('publishes as it is, without a warning: %s', async (id) => {
  const owner = await lab.owner();
  const { accessToken } = lab.simulator.state.addPortal(2_000_001 + templates.findIndex((one) => one.id === id), {
    ...lab.simulator.state.portals.get(1_000_001)!.settings,
  });
  await owner
    .post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data: { access_token: accessToken } })
    .expect(201);
  const { body: connector } = await owner.post(fromTemplate(id), { name: ' Mine ', create_api_key: true }).expect(201);
  expect(connector).toMatchObject({
    name: 'Mine',
    active_version: null,
    api_key: { label: 'default', raw_key: expect.any(String) },
  });
  const { body: draft } = await owner.get(`/api/connectors/${connector.id}/draft`).expect(200);
  expect(draft).toMatchObject({ base_version: null, draft_version: 1, has_changes: true, direction: 'inbound' });
  const { body: published } = await owner.post(`/api/connectors/${connector.id}/publish`).expect(200);
  expect(published).toMatchObject({ version: 1, warnings: [] });
  const created = published.provisioned.flatMap((one: { created: string[] }) => one.created);
  // A template that only reads the CRM needs nothing on the portal.
  expect([id, created.length > 0]).toEqual([id, id !== 'crm-contacts-to-rest']);
});

test('neither a connector nor a source beyond the plan is created', async () => {
  const owner = await lab.owner('free');
  const count = async (): Promise<number> => (await owner.get('/api/connectors').expect(200)).body.total;
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { limits: { event_sources_limit: 0 } }).expect(200);
  const { body: refused } = await owner.post(fromTemplate('shop-orders'), { name: 'One' }).expect(402);
  expect(refused.detail).toMatchObject({ error: 'event_source_limit_reached', tier: 'free', limit: 0, usage: 0 });
  expect(await count()).toBe(0);
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { limits: {} }).expect(200);
  expect((await owner.post(fromTemplate('shop-orders'), { name: 'One' }).expect(201)).body.api_key).toBeUndefined();
  const { body: second } = await owner.post(fromTemplate('shop-orders'), { name: 'Two' }).expect(402);
  expect(second.detail).toMatchObject({ error: 'connector_limit_reached', limit: 1, usage: 1 });
  expect(await count()).toBe(1);
});
