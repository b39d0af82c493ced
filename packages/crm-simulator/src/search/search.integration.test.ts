import { startForTest, type RunningSimulator } from '../testing/start-for-test';

let now = Date.UTC(2026, 0, 1);
let run: RunningSimulator;
beforeAll(async () => {
  run = await startForTest({ now: () => now });
});
beforeEach(() => run.call('POST', '/_sim/reset'));
afterAll(() => run.simulator.stop());

const search = (body: Record<string, unknown>, type = 'contacts') => run.call('POST', `/crm/v3/objects/${type}/search`, body);
const where = (...filters: Record<string, unknown>[]) => ({ filterGroups: [{ filters }], properties: ['email', 'city'] });
const create = async (properties: Record<string, string>, type = 'contacts') =>
  (await run.call('POST', `/crm/v3/objects/${type}`, { properties })).body.id as string;
const emails = (answer: { body: any }) => answer.body.results.map((one: any) => one.properties.email);

describe('search', () => {
  it('ANDs filters, ORs groups, and accepts top-level filters', async () => {
    await create({ email: 'a@x.co', city: 'Rome', lifecyclestage: 'lead' });
    await create({ email: 'b@x.co', city: 'Rome' });
    await create({ email: 'c@x.co', city: 'Oslo' });
    const rome = { propertyName: 'city', operator: 'EQ', value: 'ROME' };
    expect(emails(await search(where(rome, { propertyName: 'lifecyclestage', operator: 'HAS_PROPERTY' })))).toEqual(['a@x.co']);
    expect(
      emails(
        await search({
          ...where(rome),
          filterGroups: [{ filters: [rome] }, { filters: [{ propertyName: 'email', operator: 'IN', values: ['c@x.co'] }] }],
        }),
      ),
    ).toEqual(['a@x.co', 'b@x.co', 'c@x.co']);
    expect(emails(await search({ filters: [rome], properties: ['email'] }))).toEqual(['a@x.co', 'b@x.co']);
    expect(emails(await search({ query: 'osl c@x', properties: ['email'] }))).toEqual([]);
    expect(emails(await search({ query: 'c@x', properties: ['email'] }))).toEqual(['c@x.co']);
  });

  it('pages by offset, sorts by one property, and stops at the cap', async () => {
    for (const [email, value] of [
      ['a', '10'],
      ['b', '9'],
      ['c', '100'],
    ])
      await create({ email: `${email}@x.co`, associatedcompanyid: value! });
    const first = await search({
      sorts: [{ propertyName: 'associatedcompanyid', direction: 'DESCENDING' }],
      properties: ['email'],
      limit: 2,
    });
    expect(emails(first)).toEqual(['c@x.co', 'a@x.co']);
    expect(first.body).toMatchObject({ total: 3, paging: { next: { after: '2' } } });
    expect(emails(await search({ sorts: ['-associatedcompanyid'], properties: ['email'], limit: 2, after: '2' }))).toEqual([
      'b@x.co',
    ]);
    expect((await search({ after: '9990', limit: 20 })).status).toBe(400);
  });

  it('sees writes only after the index lag, and old values until then', async () => {
    await run.call('PATCH', '/_sim/portals/1000001', { search_lag_ms: 10_000 });
    const byCity = (value: string) => search(where({ propertyName: 'city', operator: 'EQ', value }));
    const id = await create({ email: 'a@x.co', city: 'Rome' });
    expect((await byCity('rome')).body.total).toBe(0);
    expect((await run.call('GET', `/crm/v3/objects/contacts/${id}`)).status).toBe(200);
    now += 9_999;
    expect((await byCity('rome')).body.total).toBe(0);
    now += 1;
    expect((await byCity('rome')).body.total).toBe(1);
    await run.call('PATCH', `/crm/v3/objects/contacts/${id}`, { properties: { city: 'Oslo' } });
    expect((await byCity('rome')).body.results[0].properties.city).toBe('Rome');
    expect((await byCity('oslo')).body.total).toBe(0);
    now += 10_000;
    expect((await byCity('rome')).body.total).toBe(0);
    expect((await byCity('oslo')).body.total).toBe(1);
    await run.call('DELETE', `/crm/v3/objects/contacts/${id}`);
    expect((await byCity('oslo')).body.total).toBe(0);
  });

  it('finds records changed since a time, and by partner', async () => {
    const company = await create({ name: 'X' }, 'companies');
    const a = await create({ email: 'a@x.co' });
    now += 1_000;
    const b = await create({ email: 'b@x.co' });
    const since = where(
      { propertyName: 'lastmodifieddate', operator: 'GTE', value: String(now) },
      { propertyName: 'hs_object_id', operator: 'GT', value: a },
    );
    expect((await search(since)).body.results.map((one: any) => one.id)).toEqual([b]);
    await run.call('PUT', `/crm/v4/objects/contacts/${a}/associations/default/companies/${company}`);
    expect(
      (await search(where({ propertyName: 'associations.company', operator: 'EQ', value: company }))).body.results.map(
        (one: any) => one.id,
      ),
    ).toEqual([a]);
  });

  const filter = { propertyName: 'city', operator: 'EQ', value: 'x' };
  it.each([
    ['six groups', { filterGroups: Array.from({ length: 6 }, () => ({ filters: [filter] })) }],
    ['seven filters in a group', where(...Array.from({ length: 7 }, () => filter))],
    [
      'nineteen filters',
      { filterGroups: Array.from({ length: 4 }, () => ({ filters: Array.from({ length: 5 }, () => filter) })) },
    ],
    ['a blank value', where({ ...filter, value: ' ' })],
    ['a blank entry of a list', where({ propertyName: 'city', operator: 'IN', values: ['a', ''] })],
    ['an unknown operator', where({ ...filter, operator: 'LIKE' })],
    ['an unknown property', where({ ...filter, propertyName: 'nope' })],
    ['two sorts', { sorts: ['city', 'email'] }],
    ['a page above 200', { limit: 201 }],
    ['a long query', { query: 'x'.repeat(3_001) }],
  ])('refuses %s', async (_name, body) => {
    expect(await search(body)).toMatchObject({ status: 400, body: { category: 'VALIDATION_ERROR' } });
  });
});
