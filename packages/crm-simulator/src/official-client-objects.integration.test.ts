import { rejection, startForTest, type RunningSimulator } from './testing/start-for-test';

let run: RunningSimulator;
beforeAll(async () => {
  run = await startForTest();
});
beforeEach(() => run.call('POST', '/_sim/reset'));
afterAll(() => run.simulator.stop());

const contact = (properties: Record<string, string>) => run.client.crm.contacts.basicApi.create({ properties, associations: [] });

describe('the official client against objects', () => {
  it('stores emails in lower case and answers a second create with 409 and the existing id', async () => {
    const made = await contact({ email: ' A@x.co', firstname: 'A' });
    expect(made.properties['email']).toBe('a@x.co');
    expect(made.createdAt).toBeInstanceOf(Date);
    const error = await rejection(contact({ email: 'a@x.co' }));
    expect(error.code).toBe(409);
    expect(error.body.category).toBe('CONFLICT');
    expect(/Existing ID: (\d+)/.exec(error.body.message)?.[1]).toBe(made.id);
  });

  it('reads by a unique property and updates by it', async () => {
    const made = await contact({ email: 'a+b@x.co' });
    const read = await run.client.crm.contacts.basicApi.getById(
      'a+b@x.co',
      ['email', 'phone', 'no_such'],
      undefined,
      ['companies'],
      false,
      'email',
    );
    expect(read.id).toBe(made.id);
    expect(read.properties).toMatchObject({ email: 'a+b@x.co', phone: null, hs_object_id: made.id });
    expect(read.properties).not.toHaveProperty('no_such');
    const updated = await run.client.crm.contacts.basicApi.update('a+b@x.co', { properties: { lastname: 'B' } }, 'email');
    expect(updated.id).toBe(made.id);
    expect(updated.properties['lastname']).toBe('B');
  });

  it('upserts by email: 207 names the trace id of the bad input, good ones are written', async () => {
    const made = await contact({ email: 'a@x.co' });
    const result: any = await run.client.crm.contacts.batchApi.upsert({ inputs: [
      { id: 'A@x.co', idProperty: 'email', objectWriteTraceId: 't1', properties: { lastname: 'L' } },
      { id: 'b@x.co', idProperty: 'email', objectWriteTraceId: 't2', properties: { lastname: 'M' } },
      { id: 'bad', idProperty: 'email', objectWriteTraceId: 't3', properties: { lastname: 'N' } },
    ] });
    expect(result.numErrors).toBe(1);
    expect(result.errors[0].context.objectWriteTraceId).toEqual(['t3']);
    expect(result.errors[0].message).toContain('INVALID_EMAIL');
    const byTrace = Object.fromEntries(result.results.map((one: any) => [one.objectWriteTraceId, one]));
    expect(byTrace.t1).toMatchObject({ id: made.id, _new: false });
    expect(byTrace.t2).toMatchObject({ _new: true, properties: { email: 'b@x.co', lastname: 'M' } });
  });

  it('writes nothing when trace ids are missing and one input is bad', async () => {
    const error = await rejection(
      run.client.crm.contacts.batchApi.upsert({
        inputs: [
          { id: 'c@x.co', idProperty: 'email', properties: { lastname: 'L' } },
          { id: 'bad', idProperty: 'email', objectWriteTraceId: 't', properties: {} },
        ],
      }),
    );
    expect(error.code).toBe(400);
    const records = await run.call('GET', '/_sim/records?portal_id=1000001&object_type=contacts');
    expect(records.body.total).toBe(0);
  });

  it('reads batches with 207 for ids that are not there', async () => {
    const made = await contact({ email: 'a@x.co' });
    const result: any = await run.client.crm.contacts.batchApi.read({
      inputs: [{ id: made.id }, { id: '99999' }],
      properties: ['email'],
      propertiesWithHistory: [],
    });
    expect(result.results.map((one: any) => one.properties.email)).toEqual(['a@x.co']);
    expect(result.errors).toMatchObject([{ category: 'OBJECT_NOT_FOUND', context: { ids: ['99999'] } }]);
    expect(result.errors[0]).toMatchObject({ errors: [], links: {} });
  });

  it.each(['true', 'True', 'TRUE'])('takes archived=%s, as clients of different languages send it', async (archived) => {
    const made = await contact({ email: 'a@x.co' });
    await run.client.crm.contacts.basicApi.archive(made.id);
    const results = async (method: string, path: string, body?: unknown) => {
      const answer = await run.call(method, `${path}${path.includes('?') ? '&' : '?'}archived=${archived}`, body);
      return [answer.status, (answer.body.results ?? [answer.body]).map((one: any) => one.id ?? one.name)];
    };
    const contacts = '/crm/v3/objects/contacts';
    expect(await results('GET', contacts)).toEqual([200, [made.id]]);
    expect(await results('GET', `${contacts}/${made.id}`)).toEqual([200, [made.id]]);
    expect(await results('GET', `${contacts}/a@x.co?idProperty=email`)).toEqual([200, [made.id]]);
    expect(await results('POST', `${contacts}/batch/read`, { inputs: [{ id: made.id }], properties: [] })).toEqual([
      200,
      [made.id],
    ]);
    expect(await results('GET', '/crm/v3/properties/contacts')).toEqual([200, []]);
    expect(await results('GET', '/crm/v3/owners')).toEqual([200, []]);
    expect(await results('GET', '/crm/v3/schemas')).toEqual([200, []]);
  });

  it('searches, sorted', async () => {
    for (const name of ['b', 'c']) await contact({ email: `${name}@x.co`, firstname: name.toUpperCase() });
    const found = await run.client.crm.contacts.searchApi.doSearch({
      filterGroups: [{ filters: [{ propertyName: 'email', operator: 'EQ' as never, value: 'B@x.co' }] }],
      properties: ['email'],
      limit: 10,
      after: '0',
      sorts: ['-createdate'],
    } as never);
    expect(found.total).toBe(1);
    expect(found.results[0]?.properties['email']).toBe('b@x.co');
  });

  it('associates by batch and shows both directions', async () => {
    const made = await contact({ email: 'a@x.co' });
    const company = await run.client.crm.companies.basicApi.create({
      properties: { name: 'Acme', domain: 'acme.test' },
      associations: [],
    });
    const created = await run.client.crm.associations.v4.batchApi.create('contacts', 'companies', {
      inputs: [
        {
          _from: { id: made.id },
          to: { id: company.id },
          types: [{ associationCategory: 'HUBSPOT_DEFINED' as never, associationTypeId: 1 }],
        },
      ],
    });
    expect(created.results).toMatchObject([{ fromObjectId: made.id, toObjectId: company.id, labels: ['Primary'] }]);
    const page = await run.client.crm.associations.v4.basicApi.getPage('companies', company.id, 'contacts');
    expect(page.results[0]?.associationTypes.map((type) => type.typeId).sort((a, b) => a - b)).toEqual([2, 280]);
    const both = await run.client.crm.associations.v4.batchApi.createDefault('companies', 'contacts', {
      inputs: [{ _from: { id: company.id }, to: { id: made.id } }],
    });
    expect(both.results).toHaveLength(2);
  });

  it('refreshes and introspects tokens', async () => {
    const token = await run.client.oauth.tokensApi.create(
      'refresh_token',
      undefined,
      undefined,
      'cid',
      'secret',
      'sim-refresh-1000001',
    );
    expect(token).toMatchObject({ refreshToken: 'sim-refresh-1000001', expiresIn: 1800, tokenType: 'bearer' });
    const told = await run.client.oauth.accessTokensApi.get(token.accessToken);
    expect(told).toMatchObject({ hubId: 1000001, tokenType: 'access' });
    expect(told.scopes).toContain('crm.objects.contacts.write');
  });
});
