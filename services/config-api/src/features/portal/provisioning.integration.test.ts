import type { ConfigDocument } from '@sluice/contracts';
import { contactConfig } from '../../test-support/contact-config';
import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const allScopes = () => lab.simulator.state.portals.get(1_000_001)!.settings.scopes;

/** An owner with a connector on a portal of its own. */
async function start(portalId: number, scopes: readonly string[] = allScopes()) {
  const owner = await lab.owner();
  const made = lab.simulator.state.addPortal(portalId, { ...lab.simulator.state.portals.get(1_000_001)!.settings, scopes });
  const data = { access_token: made.accessToken };
  await owner.post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data }).expect(201);
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body as { id: string };
  const path = `/api/connectors/${id}`;
  const put = (config: ConfigDocument) => owner.put(`${path}/draft`, config).expect(200);
  const wire = async (url: string, method: 'GET' | 'POST' = 'GET', body?: object) => {
    const headers = { authorization: `Bearer ${made.accessToken}`, 'content-type': 'application/json' };
    const answer = await fetch(`${lab.crmUrl}${url}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (await answer.json()) as Record<string, any>;
  };
  return { owner, path, put, wire, publish: (body?: object) => owner.post(`${path}/publish`, body) };
}
const calls = (portalId: number, path: RegExp, method = 'POST') =>
  [...lab.simulator.state.calls.entries()].filter((call) =>
    call.portalId === portalId && call.method === method && path.test(call.path));

const logged = (): number => [...lab.simulator.state.calls.entries()].length;

/** Cars of a dealer: a custom object type with its own pipeline, and deals with another one. */
const carConfig = (portalId: number): ConfigDocument => ({
  ...contactConfig,
  entities: [
    {
      name: 'car',
      schemas: {
        crm: {
          object_type: `p${portalId}_car`,
          identity: { property: 'vin' },
          field_mappings: [
            { source: '$.payload.plate', target: 'plate', crm_label: 'Number plate' },
            { source: '$.payload.electric', target: 'electric', crm_type: 'bool' },
            {
              source: '$.payload.fuel', target: 'fuel', crm_type: 'enumeration',
              crm_options: [{ value: 'diesel', label: 'Diesel' }, { value: 'petrol' }],
            },
            {
              source: '$.payload.price', target_template: 'price_{$.payload.currency}',
              provision_names: ['price_eur', 'price_usd'],
            },
            { source: '$.payload.id', target: 'hs_unknown_of_the_crm' },
          ],
        },
      },
    },
  ],
  flows: [],
  pipelines: [
    {
      object_type: 'deals', label: 'Car sales',
      stages: [{ label: 'Seen' }, { label: 'Driven', probability: 0.6 }, { label: 'Sold', probability: 1, closed: true }],
    },
    { object_type: 'tickets', label: 'Repairs', stages: [{ label: 'In' }, { label: 'Out', closed: true }] },
    { object_type: `p${portalId}_car`, label: 'Life', stages: [{ label: 'New' }, { label: 'Used' }] },
  ],
});

test('a publish creates custom object schemas, properties, pipelines and stages; a second one finds them', async () => {
  const { put, publish, wire } = await start(6_000_001);
  await put(carConfig(6_000_001));
  const type = 'p6000001_car';
  expect((await publish().expect(200)).body.provisioned).toEqual([
    {
      entity: 'car', object_type: type, skipped_existing: [],
      created: ['plate', 'electric', 'fuel', 'price_eur', 'price_usd', 'vin'],
    },
    { entity: 'pipeline:Car sales', object_type: 'deals', created: ['Seen', 'Driven', 'Sold'], skipped_existing: [] },
    { entity: 'pipeline:Repairs', object_type: 'tickets', created: ['In', 'Out'], skipped_existing: [] },
    { entity: 'pipeline:Life', object_type: type, created: ['New', 'Used'], skipped_existing: [] },
  ]);
  const schema = await wire(`/crm-object-schemas/v3/schemas/${type}`);
  expect(schema).toMatchObject({ name: 'car', primaryDisplayProperty: 'plate', labels: { singular: 'car', plural: 'cars' } });
  const properties = Object.fromEntries(schema.properties.map((one: { name: string }) => [one.name, one]));
  expect(properties).toMatchObject({
    plate: { label: 'Number plate', type: 'string', fieldType: 'text' },
    vin: { hasUniqueValue: true, groupName: 'sluice' },
    electric: { type: 'bool', fieldType: 'booleancheckbox' },
    fuel: { type: 'enumeration', options: [{ value: 'diesel', label: 'Diesel' }, { value: 'petrol', label: 'petrol' }] },
  });
  expect(properties).not.toHaveProperty('hs_unknown_of_the_crm');
  const deals = (await wire('/crm/v3/pipelines/deals')).results.find((one: { label: string }) => one.label === 'Car sales');
  expect(deals.stages.map(({ label, metadata }: any) => [label, metadata.probability])).toEqual([
    ['Seen', '0.3'], ['Driven', '0.6'], ['Sold', '1.0'],
  ]);
  const tickets = (await wire('/crm/v3/pipelines/tickets')).results.find((one: { label: string }) => one.label === 'Repairs');
  expect(tickets.stages.map(({ metadata }: any) => metadata.ticketState)).toEqual(['OPEN', 'CLOSED']);
  const written = calls(6_000_001, /./).length;
  const again = (await publish({ force: true }).expect(200)).body.provisioned;
  expect(again.map(({ created }: { created: string[] }) => created)).toEqual([[], [], [], []]);
  expect(again[1].skipped_existing).toEqual(['Seen', 'Driven', 'Sold']);
  expect(calls(6_000_001, /./).length).toBe(written);
});

test('what exists is never changed; a pipeline that exists gets the stages it lacks', async () => {
  const { put, publish, wire } = await start(6_000_002);
  const stage = (label: string, displayOrder: number) => ({ label, displayOrder, metadata: { probability: '0.1' } });
  await wire('/crm/v3/pipelines/deals', 'POST', {
    label: 'car SALES', displayOrder: 3, stages: [stage('Mine', 0), stage('sold', 1)],
  });
  const config = carConfig(6_000_002);
  config.pipelines = [config.pipelines![0]!];
  config.entities = [];
  await put(config);
  expect((await publish().expect(200)).body.provisioned).toEqual([
    { entity: 'pipeline:Car sales', object_type: 'deals', created: ['Seen', 'Driven'], skipped_existing: ['Sold'] },
  ]);
  const deals = (await wire('/crm/v3/pipelines/deals')).results.at(-1);
  expect(deals.stages.map(({ label, metadata }: any) => [label, metadata.probability])).toEqual([
    ['Mine', '0.1'], ['sold', '0.1'], ['Seen', '0.3'], ['Driven', '0.6'],
  ]);
});

test('a failure reports all problems and stores no version; a retry resumes where it ended', async () => {
  const withoutSchemas = allScopes().filter((scope) => scope !== 'crm.schemas.custom.write');
  const { owner, path, put, publish } = await start(6_000_003, withoutSchemas);
  const config = carConfig(6_000_003);
  config.pipelines![0]!.stages[2] = { label: 'Sold', closed: true };
  config.entities.push(contactConfig.entities[0]!);
  await put(config);
  const { detail } = (await publish().expect(422)).body;
  expect(detail.provisioned).toEqual([
    { entity: 'car', object_type: 'p6000003_car', created: [], skipped_existing: [] },
    { entity: 'customer', object_type: 'contacts', created: ['shop_id'], skipped_existing: ['email'] },
    { entity: 'pipeline:Repairs', object_type: 'tickets', created: ['In', 'Out'], skipped_existing: [] },
  ]);
  expect(detail.errors.map(({ entity, message }: any) => `${entity}: ${message}`)).toEqual([
    expect.stringMatching(/^car: .*needs the scope crm\.schemas\.custom\.write/),
    expect.stringContaining("pipeline:Car sales: the closed deal stage 'Sold' needs a probability"),
    expect.stringContaining("pipeline:Life: the pipelines of 'p6000003_car' cannot be read"),
  ]);
  await owner.get(`${path}/versions/active`).expect(404);
  const portal = lab.simulator.state.portals.get(6_000_003)!;
  portal.settings = { ...portal.settings, scopes: allScopes() };
  await put({ ...carConfig(6_000_003), entities: config.entities });
  expect((await publish().expect(200)).body.provisioned.map(({ created }: any) => created.length)).toEqual([6, 0, 3, 0, 2]);
});

test('a custom object type of another portal is refused by name; a portal that does not answer is asked once', async () => {
  const { put, publish } = await start(6_000_004);
  await put({ ...carConfig(999), pipelines: [] });
  expect((await publish().expect(422)).body.detail.errors).toEqual([
    {
      entity: 'car', object_type: 'p999_car', property: null,
      message: "the object type 'p999_car' is one of portal 999, and the connector is bound to portal 6000004",
    },
  ]);
  await put(carConfig(6_000_004));
  const before = logged();
  lab.simulator.state.faults.add({
    portalId: 6_000_004, status: 503, probability: 1, headers: {}, drop: false, delayMs: 0, afterWrite: false,
  });
  const { errors } = (await publish().expect(422)).body.detail;
  lab.simulator.state.faults.clear();
  expect(errors.map(({ message }: any) => message).slice(1)).toEqual(Array(3).fill('not attempted: the portal does not answer'));
  expect(logged() - before).toBe(1);
});

test('two publishes at once create everything once and do not fail each other', async () => {
  const { path, put, owner, wire } = await start(6_000_005);
  await put(carConfig(6_000_005));
  const answers = await Promise.all([owner.post(`${path}/provision`), owner.post(`${path}/provision`)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const labels = (await wire('/crm/v3/pipelines/deals')).results.map(({ label }: any) => label);
  expect(labels).toEqual(['Sales Pipeline', 'Car sales']);
});

test('on demand the draft is provisioned, whole or one entity; without a portal it is refused', async () => {
  const { owner, path, put } = await start(6_000_006);
  await put({ ...carConfig(6_000_006), entities: [...carConfig(6_000_006).entities, ...contactConfig.entities] });
  const one = (await owner.post(`${path}/provision`, { entity: 'customer' }).expect(200)).body;
  expect(one).toEqual({
    portal_id: '6000006',
    provisioned: [{ entity: 'customer', object_type: 'contacts', created: ['shop_id'], skipped_existing: ['email'] }],
  });
  expect((await owner.post(`${path}/provision`).expect(200)).body.provisioned).toHaveLength(5);
  expect((await owner.post(`${path}/provision`, { entity: 'nobody' }).expect(422)).body.detail).toMatchObject([
    { type: 'undeclared_entity', loc: ['body', 'entity'], input: 'nobody' },
  ]);
  const stranger = await lab.owner();
  await stranger.post(`${path}/provision`).expect(404);
  const { id } = (await stranger.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
  expect((await stranger.post(`/api/connectors/${id}/provision`).expect(422)).body.detail.code).toBe('crm_portal_not_bound');
});
