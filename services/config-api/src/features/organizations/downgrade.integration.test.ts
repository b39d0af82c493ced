import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const entity = (name: string, objectType: string) =>
  ({ name, schemas: { crm: { object_type: objectType, identity: { property: 'name' }, field_mappings: [] } } });
const source = (name: string) => ({ name, type: 'scheduled', config: { schedule: '0 * * * *' } });
const config = (entities: object[], sources: object[], more: object = {}) => ({
  version: '3.0',
  entities,
  flows: [],
  sources,
  ...more,
});

test('an organization that moves to a smaller plan keeps and edits everything, and adds nothing', async () => {
  const owner = await lab.owner('scale');
  const create = async (name: string) => (await owner.post('/api/connectors', { name }).expect(201)).body.id as string;
  const [one, two] = [await create('One'), await create('Two')];
  const sources = ['a', 'b', 'c', 'd', 'e', 'f'].map(source);
  const boats = entity('boat', 'p1_boats');
  for (const id of [one, two]) {
    await owner.put(`/api/connectors/${id}/draft`, config([boats], sources)).expect(200);
    await owner.post(`/api/connectors/${id}/publish`).expect(200);
  }
  const { body: key } = await owner.post(`/api/connectors/${one}/api-keys`, { label: 'before' }).expect(201);
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { tier: 'free' }).expect(200);
  expect((await owner.get('/api/v1/billing/me').expect(200)).body).toMatchObject({
    tier: 'free', connectors_used: 2, connectors_limit: 1, event_sources_used: 12, event_sources_limit: 4,
    custom_object_types_used: 1, custom_object_types_limit: 0, custom_objects_enabled: false,
  });

  await owner.patch(`/api/connectors/${two}`, { name: 'Still mine', status: 'paused' }).expect(200);
  await owner.patch(`/api/connectors/${two}/draft`, { settings: { note: 'edited' } }).expect(200);
  await owner.put(`/api/connectors/${one}/draft`, config([boats], sources.slice(1), { settings: { fewer: true } })).expect(200);
  expect((await owner.post(`/api/connectors/${one}/publish`).expect(200)).body.version).toBe(2);
  const { body: keys } = await owner.get(`/api/connectors/${one}/api-keys`).expect(200);
  expect(keys.items).toMatchObject([{ id: key.id, is_active: true }]);

  const refused = async (call: Promise<{ status: number; body: any }>) => {
    const { status, body } = await call;
    return [status, body.detail.error, body.detail.tier, body.detail.usage];
  };
  expect(await refused(owner.post('/api/connectors', { name: 'Three' }))).toEqual([402, 'connector_limit_reached', 'free', 2]);
  const more = config([boats, entity('car', 'p1_cars')], sources);
  expect(await refused(owner.put(`/api/connectors/${two}/draft`, more))).toEqual([402, 'custom_objects_not_allowed', 'free', 1]);
  await owner.put(`/api/connectors/${two}/draft`, config([boats], [...sources, source('g')])).expect(200);
  expect(await refused(owner.post(`/api/connectors/${two}/publish`))).toEqual([402, 'event_source_limit_reached', 'free', 11]);

  // An object type that neither the draft nor the active version uses any more counts as added when it comes back.
  await owner.put(`/api/connectors/${one}/draft`, config([], [])).expect(200);
  await owner.put(`/api/connectors/${one}/draft`, config([boats], [])).expect(200);
  await owner.put(`/api/connectors/${one}/draft`, config([], [])).expect(200);
  await owner.post(`/api/connectors/${one}/publish`).expect(200);
  expect(await refused(owner.put(`/api/connectors/${one}/draft`, config([boats], [])))).toEqual([
    402, 'custom_objects_not_allowed', 'free', 0,
  ]);
});
