import { startForTest, type RunningSimulator } from '../testing/start-for-test';

let runs: RunningSimulator[] = [];
const start = async () => {
  const run = await startForTest();
  runs.push(run);
  return run;
};
afterEach(async () => {
  await Promise.all(runs.map((run) => run.simulator.stop()));
  runs = [];
});

/** Another simulator that starts from what this one knows. */
async function successor(run: RunningSimulator): Promise<RunningSimulator> {
  const next = await start();
  next.simulator.state.restore(run.simulator.state.snapshot());
  return next;
}

const contact = (run: RunningSimulator, email: string, city: string) =>
  run.call('POST', '/crm/v3/objects/contacts/batch/upsert', {
    inputs: [{ id: email, idProperty: 'email', properties: { city } }],
  });

it('a successor knows records, their write logs, associations, definitions and ids', async () => {
  const first = await start();
  await first.call('POST', '/crm/v3/properties/deals', {
    name: 'order_number',
    label: 'Order',
    groupName: 'dealinformation',
    type: 'string',
    fieldType: 'text',
    hasUniqueValue: true,
  });
  await first.call('POST', '/crm-object-schemas/v3/schemas', {
    name: 'car',
    labels: { singular: 'Car', plural: 'Cars' },
    properties: [{ name: 'plate', label: 'Plate' }],
    requiredProperties: ['plate'],
    primaryDisplayProperty: 'plate',
    associatedObjects: ['CONTACT'],
  });
  const person = (await contact(first, 'a@x.co', 'Oslo')).body.results[0].id;
  await contact(first, 'a@x.co', 'Rome');
  const deal = (
    await first.call('POST', '/crm/v3/objects/deals', {
      properties: { dealname: 'D', dealstage: 'closedwon', order_number: 'N1' },
    })
  ).body.id;
  await first.call('PUT', `/crm/v4/objects/deals/${deal}/associations/default/contacts/${person}`);
  const before = (await first.call('GET', '/_sim/records?portal_id=1000001')).body;

  const next = await successor(first);
  expect((await next.call('GET', '/_sim/records?portal_id=1000001')).body).toEqual(before);
  expect(
    before.items.find((one: { id: string; object_type: string }) => one.id === person && one.object_type === 'contacts')
      .write_log,
  ).toHaveLength(2);
  const again = await next.call('POST', '/crm/v3/objects/deals/batch/upsert', {
    inputs: [{ id: 'N1', idProperty: 'order_number', properties: { dealname: 'E', dealstage: 'closedwon' } }],
  });
  expect(again.body.results[0]).toMatchObject({ id: deal, new: false });
  expect((await contact(next, 'b@x.co', 'Bonn')).body.results[0].id).not.toBe(person);
  expect((await next.call('POST', '/crm/v3/objects/p1000001_car', { properties: { plate: 'B-1' } })).status).toBe(201);
  expect(
    (
      await next.call('POST', '/crm/v3/objects/contacts/search', {
        filterGroups: [{ filters: [{ propertyName: 'city', operator: 'EQ', value: 'rome' }] }],
      })
    ).body.total,
  ).toBe(1);
});

it('a successor accepts the tokens and portals of its forerunner', async () => {
  const first = await start();
  await first.call('POST', '/_sim/portals', { portal_id: 77, search_lag_ms: 60_000 });
  const made = await first.call(
    'POST',
    '/oauth/v1/token',
    new URLSearchParams({ client_id: 'c', client_secret: 's', grant_type: 'refresh_token', refresh_token: 'sim-refresh-77' }),
  );
  await first.call('POST', '/crm/v3/objects/contacts', { properties: { email: 'a@x.co' } }, made.body.access_token);
  const next = await successor(first);
  const found = await next.call('POST', '/crm/v3/objects/contacts/search', {}, made.body.access_token);
  expect(found).toMatchObject({ status: 200, body: { total: 0 } });
  expect((await next.call('GET', '/_sim/records?portal_id=77')).body.total).toBe(1);
});

it('refuses what is not a snapshot', async () => {
  const { simulator } = await start();
  expect(() => simulator.state.restore(Buffer.from('nonsense'))).toThrow();
  expect(simulator.requests()).toBe(0);
});
