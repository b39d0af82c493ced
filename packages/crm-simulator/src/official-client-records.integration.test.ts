import { rejection, startForTest, type RunningSimulator } from './testing/start-for-test';

let run: RunningSimulator;
beforeAll(async () => {
  run = await startForTest();
});
beforeEach(() => run.call('POST', '/_sim/reset'));
afterAll(() => run.simulator.stop());

const contacts = () => run.client.crm.contacts;
const contact = (properties: Record<string, string>) => contacts().basicApi.create({ properties, associations: [] });
const many = (count: number) =>
  contacts().batchApi.create({
    inputs: Array.from({ length: count }, (_, i) => ({ properties: { email: `p${i}@x.co` }, associations: [] })),
  });

describe('the official client against the life of a record', () => {
  it('pages through a list', async () => {
    await many(5);
    const first = await contacts().basicApi.getPage(2, undefined, ['email']);
    expect(first.results).toHaveLength(2);
    const emails = first.results.map((one) => one.properties['email']);
    for (let after = first.paging?.next?.after; after; ) {
      const page = await contacts().basicApi.getPage(2, after, ['email']);
      emails.push(...page.results.map((one) => one.properties['email']));
      after = page.paging?.next?.after;
    }
    expect(emails).toEqual([0, 1, 2, 3, 4].map((i) => `p${i}@x.co`));
  });

  it('archives: gone from reads, found with archived=true, a second time is fine', async () => {
    const made = await contact({ email: 'a@x.co' });
    await contacts().basicApi.archive(made.id);
    expect((await rejection(contacts().basicApi.getById(made.id))).code).toBe(404);
    expect((await contacts().basicApi.getById(made.id, undefined, undefined, undefined, true)).archived).toBe(true);
    expect(
      (await contacts().basicApi.getPage(10, undefined, undefined, undefined, undefined, true)).results.map((one) => one.id),
    ).toEqual([made.id]);
    await contacts().basicApi.archive(made.id);
    expect((await contact({ email: 'a@x.co' })).id).not.toBe(made.id);
  });

  it('archives and updates in batches', async () => {
    const made = await many(3);
    const [a, b, c] = made.results.map((one) => one.id) as [string, string, string];
    const updated = await contacts().batchApi.update({
      inputs: [
        { id: a, properties: { city: 'Rome' } },
        { id: b, properties: { city: 'Oslo' } },
      ],
    });
    expect(Object.fromEntries(updated.results.map((one) => [one.id, one.properties['city']]))).toEqual({
      [a]: 'Rome',
      [b]: 'Oslo',
    });
    await contacts().batchApi.archive({ inputs: [{ id: a }, { id: b }, { id: '98765' }] });
    expect((await contacts().basicApi.getPage()).results.map((one) => one.id)).toEqual([c]);
  });

  it('answers an update of unknown ids with 207 also without trace ids, grouped in one entry', async () => {
    const made = await contact({ email: 'a@x.co' });
    const result: any = await contacts().batchApi.update({
      inputs: [
        { id: '777', properties: { city: 'x' } },
        { id: made.id, properties: { city: 'Rome' } },
        { id: '778', properties: { city: 'x' } },
      ],
    });
    expect(result.numErrors).toBe(1);
    expect(result.errors[0]).toMatchObject({ category: 'OBJECT_NOT_FOUND', context: { ids: ['777', '778'] } });
    expect(result.results).toMatchObject([{ id: made.id, properties: { city: 'Rome' } }]);
  });

  it('merges: the loser id resolves to the survivor, its email becomes an additional one', async () => {
    const [a, b] = [
      await contact({ email: 'a@x.co', firstname: 'A' }),
      await contact({ email: 'b@x.co', firstname: 'B', phone: '1' }),
    ];
    const company = await run.client.crm.companies.basicApi.create({ properties: { name: 'X' }, associations: [] });
    await run.client.crm.associations.v4.basicApi.createDefault('contacts', b.id, 'companies', company.id);
    const merged = await contacts().basicApi.merge({ primaryObjectId: a.id, objectIdToMerge: b.id });
    expect(merged.id).toBe(a.id);
    const read = await contacts().basicApi.getById(
      b.id,
      ['email', 'firstname', 'phone', 'hs_additional_emails', 'hs_merged_object_ids'],
      undefined,
      ['companies'],
    );
    expect(read).toMatchObject({
      id: a.id,
      properties: { email: 'a@x.co', firstname: 'A', phone: '1', hs_additional_emails: 'b@x.co', hs_merged_object_ids: b.id },
    });
    expect(read.associations?.['companies']?.results).toMatchObject([{ id: company.id }]);
    expect((await contacts().basicApi.getById('b@x.co', ['email'], undefined, undefined, false, 'email')).id).toBe(a.id);
    const error = await rejection(contact({ email: 'b@x.co' }));
    expect(error.body.message).toBe(`Contact already exists. Existing ID: ${a.id}`);
    expect((await contacts().searchApi.doSearch({ limit: 10 } as never)).total).toBe(1);
  });

  it('purges for good', async () => {
    const made = await contact({ email: 'a@x.co' });
    await contacts().basicApi.purge({ objectId: 'a@x.co', idProperty: 'email' });
    expect((await rejection(contacts().basicApi.getById(made.id, undefined, undefined, undefined, true))).code).toBe(404);
  });

  it('tells the history of a property, newest first, with who changed it', async () => {
    const made = await contact({ email: 'a@x.co', city: 'Rome' });
    await contacts().basicApi.update(made.id, { properties: { city: 'Rome' } });
    await run.call('POST', '/_sim/edits', {
      portal_id: 1000001,
      object_type: 'contacts',
      id: made.id,
      action: 'update',
      properties: { city: 'Oslo' },
      user: '80001',
    });
    const read = await contacts().basicApi.getById(made.id, undefined, ['city']);
    expect(read.propertiesWithHistory?.['city']).toMatchObject([
      { value: 'Oslo', sourceType: 'CRM_UI', updatedByUserId: 80001 }, { value: 'Rome', sourceType: 'INTEGRATION' }]);
    expect(read.propertiesWithHistory?.['city']).toHaveLength(2);
  });

  it('serves the other standard types and the generic API', async () => {
    const ticket = await run.client.crm.tickets.basicApi.create({
      properties: { subject: 'S', hs_pipeline_stage: '1', hs_ticket_priority: 'HIGH' },
      associations: [],
    });
    expect(ticket.properties).toMatchObject({ hs_pipeline: '0' });
    const product = await run.client.crm.products.basicApi.create({ properties: { name: 'P', price: '9.90' }, associations: [] });
    const item = await run.client.crm.lineItems.basicApi.create({
      properties: { name: 'P', quantity: '2', hs_product_id: product.id },
      associations: [],
    });
    expect((await run.client.crm.objects.basicApi.getById('0-8', item.id, ['hs_product_id', 'amount'])).properties).toMatchObject(
      { hs_product_id: product.id, amount: null },
    );
    await run.client.crm.lineItems.basicApi.update(item.id, { properties: { price: '9.90' } });
    expect((await run.client.crm.lineItems.basicApi.getById(item.id)).properties['amount']).toBe('19.8');
    const note = await run.client.crm.objects.basicApi.create('notes', {
      properties: { hs_timestamp: '2026-01-02T03:04:05Z', hs_note_body: 'x' },
      associations: [
        { to: { id: ticket.id }, types: [{ associationCategory: 'HUBSPOT_DEFINED' as never, associationTypeId: 228 }] },
      ],
    });
    expect(note.properties['hs_timestamp']).toBe('2026-01-02T03:04:05.000Z');
    expect(
      (await run.client.crm.objects.basicApi.update('note', note.id, { properties: { hs_note_body: 'y' } })).properties[
        'hs_note_body'
      ],
    ).toBe('y');
  });
});

describe('writes are strict', () => {
  it.each([
    [{ nope: '1' }, 'PROPERTY_DOESNT_EXIST', 'Property "nope" does not exist'],
    [{ createdate: '1' }, 'READ_ONLY_VALUE', '"createdate" is a read only property; its value cannot be set.'],
    [{ email: 'nope' }, 'INVALID_EMAIL', 'Email address nope is invalid'],
    [{ lifecyclestage: 'Lead' }, 'INVALID_OPTION', 'Lead was not one of the allowed options: [subscriber, lead,'],
    [{ associatedcompanyid: 'x' }, 'INVALID_NUMBER', 'x was not a valid number'],
    [{ closedate: 'soon' }, 'INVALID_DATE', 'soon'],
  ])('refuses %j with %s', async (properties, code, message) => {
    const refused = await run.call('POST', '/crm/v3/objects/contacts', { properties });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0]).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('lists several bad properties at once', async () => {
    const refused = await run.call('POST', '/crm/v3/objects/contacts', {
      properties: { nope: '1', createdate: '2', city: 'ok' },
    });
    expect(JSON.parse(refused.body.message.slice('Property values were not valid: '.length)).map((one: any) => one.name)).toEqual(
      ['nope', 'createdate'],
    );
  });

  it('names the holder of a unique value', async () => {
    const [a, b] = [await contact({ email: 'a@x.co' }), await contact({ email: 'b@x.co' })];
    const error = await rejection(contacts().basicApi.update(b.id, { properties: { email: 'A@x.co' } }));
    expect(error.code).toBe(400);
    expect(error.body.message).toBe(`Cannot set PropertyValueCoordinates{portalId=1000001, objectTypeId=ObjectTypeId{legacyObjectType=CONTACT}, propertyName=email, value=a@x.co} on ${b.id}. ${a.id} already has that value.`);
  });

  it('refuses the same id twice, too many inputs, and a property that is not unique', async () => {
    const twice = await run.call('POST', '/crm/v3/objects/contacts/batch/upsert', {
      inputs: [
        { id: 'A@x.co', idProperty: 'email', objectWriteTraceId: '1', properties: {} },
        { id: 'a@x.co ', idProperty: 'email', objectWriteTraceId: '2', properties: {} },
      ],
    });
    expect(twice).toMatchObject({
      status: 400,
      body: {
        message: 'Duplicate IDs found in batch input: [a@x.co]. IDs must be unique',
        category: 'VALIDATION_ERROR',
        context: { ids: ['a@x.co'] },
      },
    });
    const tooMany = await run.call('POST', '/crm/v3/objects/contacts/batch/create', {
      inputs: Array.from({ length: 101 }, () => ({ properties: {} })),
    });
    expect(tooMany.status).toBe(400);
    for (const [type, idProperty] of [['companies', 'domain'], ['contacts', 'hs_object_id']]) {
      const refused = await run.call('POST', `/crm/v3/objects/${type}/batch/upsert`, {
        inputs: [{ id: 'x.co', idProperty, properties: {} }],
      });
      expect(refused).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('Unable to perform update/upsert by non-unique') },
      });
    }
  });

  it('gives two creates with one email in a batch a single conflict', async () => {
    const inputs = [
      { properties: { email: 'a@x.co' }, objectWriteTraceId: '1' },
      { properties: { email: 'A@x.co' }, objectWriteTraceId: '2' },
    ];
    const refused = await run.call('POST', '/crm/v3/objects/contacts/batch/create', {
      inputs: inputs.map(({ properties }) => ({ properties })),
    });
    expect(refused).toMatchObject({ status: 409, body: { category: 'CONFLICT' } });
    const partial = await run.call('POST', '/crm/v3/objects/contacts/batch/create', { inputs });
    expect(partial.status).toBe(207);
    expect(partial.body.results).toHaveLength(1);
    expect(partial.body.errors[0]).toMatchObject({
      category: 'CONFLICT',
      message: `Contact already exists. Existing ID: ${partial.body.results[0].id}`,
      context: { objectWriteTraceId: ['2'] },
      errors: [],
      links: {},
    });
  });

  it('ignores a backward lifecycle stage, clears with an empty value, and lets companies share a domain', async () => {
    const made = await contact({ email: 'a@x.co', lifecyclestage: 'customer', city: 'Rome' });
    expect(
      (await run.call('PATCH', `/crm/v3/objects/contacts/${made.id}`, { properties: { lifecyclestage: 'lead', city: '' } }))
        .status,
    ).toBe(200);
    const read = await contacts().basicApi.getById(made.id, ['lifecyclestage', 'city']);
    expect(read.properties).toMatchObject({ lifecyclestage: 'customer', city: null });
    for (const name of ['A', 'B'])
      expect((await run.call('POST', '/crm/v3/objects/companies', { properties: { name, domain: 'x.co' } })).status).toBe(201);
  });

  it('checks dates: midnight for dates, ISO with ms for times', async () => {
    await run.call('POST', '/crm/v3/properties/contacts', {
      name: 'day',
      label: 'Day',
      type: 'date',
      fieldType: 'date',
      groupName: 'contactinformation',
    });
    const ok = await run.call('POST', '/crm/v3/objects/contacts', {
      properties: { day: '1635465600000', closedate: '2026-01-02T03:04:05+01:00' },
    });
    expect(ok.body.properties).toMatchObject({ day: '2021-10-29', closedate: '2026-01-02T02:04:05.000Z' });
    const bad = await run.call('POST', '/crm/v3/objects/contacts', { properties: { day: '1635535865' } });
    expect(bad.body.errors[0].message).toBe('1635535865 is at 22:18:55.865 UTC, not midnight!');
  });

  it('knows types by every published name and path era, and says what it does not know', async () => {
    const made = await contact({ email: 'a@x.co' });
    for (const path of [
      `/crm/v3/objects/contact/${made.id}`,
      `/crm/v3/objects/0-1/${made.id}`,
      `/crm/objects/v3/contacts/${made.id}`,
      `/crm/objects/2026-09/contacts/${made.id}`,
    ])
      expect((await run.call('GET', path)).body.id).toBe(made.id);
    for (const path of [
      '/crm/properties/2026-09/contacts',
      '/crm/v3/schemas',
      '/crm-object-schemas/2026-09/schemas',
      '/crm/pipelines/2026-09/deals',
      '/account-info/2026-09/details',
    ])
      expect((await run.call('GET', path)).status).toBe(200);
    expect(await run.call('GET', '/crm/v3/objects/widgets')).toMatchObject({
      status: 400,
      body: { message: 'Unable to infer object type from: widgets' },
    });
    expect(await run.call('GET', '/crm/v3/objects/0-9999')).toMatchObject({
      status: 400,
      body: { message: 'Invalid object or event type id: 0-9999' },
    });
    expect(await run.call('PATCH', `/crm/v3/objects/contacts/${made.id}`, { properties: {} })).toMatchObject({
      status: 400,
      body: { message: 'No properties found to update, please provide at least one.' },
    });
    expect((await run.call('POST', '/crm/v3/objects/contacts')).body.message).toBe(
      'Invalid JSON input: a request body was expected, but none found',
    );
  });
});
