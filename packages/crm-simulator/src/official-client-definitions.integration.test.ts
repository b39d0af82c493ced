import { carSchema, group, tier } from './testing/shop-definitions';
import { rejection, startForTest, type RunningSimulator } from './testing/start-for-test';

let run: RunningSimulator;
beforeAll(async () => {
  run = await startForTest();
});
beforeEach(() => run.call('POST', '/_sim/reset'));
afterAll(() => run.simulator.stop());

describe('the official client against properties and groups', () => {
  it('creates, reads, updates and removes groups', async () => {
    expect(await group(run)).toMatchObject({ name: 'shop', label: 'Shop', archived: false });
    expect((await rejection(group(run))).body.category).toBe('OBJECT_ALREADY_EXISTS');
    expect((await run.client.crm.properties.groupsApi.getByName('contacts', 'shop')).label).toBe('Shop');
    expect((await run.client.crm.properties.groupsApi.update('contacts', 'shop', { label: 'Store' })).label).toBe('Store');
    expect((await run.client.crm.properties.groupsApi.getAll('contacts')).results.map((one) => one.name)).toEqual([
      'contactinformation',
      'shop',
    ]);
    await run.client.crm.properties.groupsApi.archive('contacts', 'shop');
    expect((await rejection(run.client.crm.properties.groupsApi.getByName('contacts', 'shop'))).code).toBe(404);
  });

  it('checks values against options, and the whole list is replaced by an update', async () => {
    await group(run);
    const made = await tier(run);
    expect(made).toMatchObject({ name: 'tier', type: 'enumeration', hubspotDefined: false, archived: false, calculated: false });
    const contact = await run.client.crm.contacts.basicApi.create({
      properties: { email: 'a@x.co', tier: 'gold' },
      associations: [],
    });
    const error = await rejection(run.client.crm.contacts.basicApi.update(contact.id, { properties: { tier: 'iron' } }));
    expect(error.code).toBe(400);
    expect(error.body.errors[0]).toMatchObject({ code: 'INVALID_OPTION', context: { propertyName: ['tier'] } });
    const embedded = JSON.parse(error.body.message.slice(error.body.message.indexOf('[')));
    expect(embedded).toMatchObject([{ isValid: false, error: 'INVALID_OPTION', name: 'tier', portalId: 1000001 }]);
    const changed = await run.client.crm.properties.coreApi.update('contacts', 'tier', {
      options: [{ label: 'Iron', value: 'iron', displayOrder: 0, hidden: false }],
    });
    expect(changed.options.map((option) => option.value)).toEqual(['iron']);
    expect((await run.client.crm.contacts.basicApi.update(contact.id, { properties: { tier: 'iron' } })).properties['tier']).toBe(
      'iron',
    );
  });

  it('reads, archives and restores definitions', async () => {
    await group(run);
    const made = await tier(run);
    expect((await run.client.crm.properties.coreApi.getAll('contacts')).results.map((one) => one.name)).toEqual(
      expect.arrayContaining(['email', 'tier', 'hs_object_id']),
    );
    expect((await run.client.crm.properties.coreApi.getByName('contacts', 'email')).hasUniqueValue).toBe(true);
    await run.client.crm.properties.coreApi.archive('contacts', 'tier');
    expect((await rejection(run.client.crm.properties.coreApi.getByName('contacts', 'tier'))).code).toBe(404);
    const again = await tier(run);
    expect(again.createdAt).toEqual(made.createdAt);
  });

  it('handles definition batches', async () => {
    await group(run);
    const input = (name: string) => ({
      name,
      label: name,
      type: 'string' as never,
      fieldType: 'text' as never,
      groupName: 'shop',
    });
    const made = await run.client.crm.properties.batchApi.create('contacts', { inputs: [input('one'), input('two')] });
    expect(made.results.map((one) => one.name)).toEqual(['one', 'two']);
    const again: any = await run.client.crm.properties.batchApi.create('contacts', { inputs: [input('two'), input('three')] });
    expect(again.numErrors).toBe(1);
    expect(again.errors[0].subCategory).toBe('Properties.PROPERTY_WITH_NAME_EXISTS');
    const read: any = await run.client.crm.properties.batchApi.read('contacts', {
      archived: false,
      inputs: [{ name: 'one' }, { name: 'nope' }],
    } as never);
    expect(read.results.map((one: any) => one.name)).toEqual(['one']);
    await run.client.crm.properties.batchApi.archive('contacts', { inputs: [{ name: 'one' }] });
    expect((await rejection(run.client.crm.properties.coreApi.getByName('contacts', 'one'))).code).toBe(404);
  });

  it('tells how many custom properties each type has, and how many it may have', async () => {
    const limits = async (path = '/crm/v3/limits/custom-properties') => (await run.call('GET', path)).body;
    expect((await limits()).byObjectType[0]).toEqual({
      objectTypeId: '0-1',
      singularLabel: 'Contact',
      pluralLabel: 'Contacts',
      limit: 1000,
      usage: 0,
      percentage: 0,
    });
    await group(run);
    await tier(run);
    await carSchema(run);
    const after = await limits();
    expect(after).toMatchObject({
      overallUsage: 2,
      overallLimit: after.byObjectType.length * 1000,
      overallPercentage: expect.any(Number),
    });
    expect(after.byObjectType.filter(({ usage }: any) => usage > 0)).toMatchObject([
      { objectTypeId: '0-1', usage: 1, percentage: 0.1 },
      { singularLabel: 'Car', pluralLabel: 'Cars', usage: 1 },
    ]);
    await run.client.crm.properties.coreApi.archive('contacts', 'tier');
    expect((await limits('/crm/limits/2026-09/custom-properties')).overallUsage).toBe(1);
    expect((await run.call('GET', '/crm/v3/limits/custom-properties', undefined, 'x')).status).toBe(401);
  });

  it.each([
    [{ name: 'Bad' }, 'not valid'],
    [{ name: 'hs_x' }, 'reserved'],
    [{ type: 'number', fieldType: 'text' }, 'not valid for a property of type number'],
    [{ groupName: 'nope' }, 'does not exist'],
    [{ label: undefined }, '[label]'],
    [{ type: 'money' }, 'not a valid property type'],
  ])('refuses the definition %j', async (change, text) => {
    const refused = await run.call('POST', '/crm/v3/properties/contacts', {
      name: 'x',
      label: 'X',
      type: 'string',
      fieldType: 'text',
      groupName: 'contactinformation',
      ...change,
    });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain(text);
  });

  it('can be told to refuse unique contact properties', async () => {
    const strict = await startForTest({ uniqueContactProperties: false });
    const refused = await strict.call('POST', '/crm/v3/properties/contacts', {
      name: 'x',
      label: 'X',
      type: 'string',
      fieldType: 'text',
      groupName: 'contactinformation',
      hasUniqueValue: true,
    });
    expect(refused).toMatchObject({ status: 400, body: { subCategory: 'Properties.CANNOT_SET_CONTACT_HAS_UNIQUE_VALUE' } });
    await strict.simulator.stop();
  });
});

describe('the official client against custom schemas', () => {
  it('creates a schema whose records can be upserted by its unique property, and associated', async () => {
    const schema = await carSchema(run);
    expect(schema).toMatchObject({ name: 'car', fullyQualifiedName: 'p1000001_car', objectTypeId: `2-${schema.id}` });
    expect(schema.properties.map((one) => one.name)).toEqual(expect.arrayContaining(['vin', 'hs_object_id', 'hs_createdate']));
    const upserted = await run.client.crm.objects.batchApi.upsert(schema.objectTypeId!, {
      inputs: [{ id: 'V1', idProperty: 'vin', properties: { vin: 'V1' } }],
    });
    expect(upserted.results[0]).toMatchObject({ _new: true, properties: { vin: 'V1' } });
    const contact = await run.client.crm.contacts.basicApi.create({ properties: { email: 'a@x.co' }, associations: [] });
    const typeId = Number(
      schema.associations.find((one) => one.fromObjectTypeId === schema.objectTypeId && one.toObjectTypeId === '0-1')?.id,
    );
    await run.client.crm.associations.v4.basicApi.create('p1000001_car', upserted.results[0]!.id, 'contacts', contact.id, [
      { associationCategory: 'USER_DEFINED' as never, associationTypeId: typeId },
    ]);
    const back = await run.client.crm.associations.v4.basicApi.getPage('contacts', contact.id, schema.objectTypeId!);
    expect(back.results[0]).toMatchObject({ toObjectId: upserted.results[0]!.id });
    const read = await run.client.crm.contacts.basicApi.getById(contact.id, undefined, undefined, ['p1000001_car']);
    expect(Object.keys(read.associations ?? {})).toEqual(['p1000001_car']);
  });

  it('requires the required properties of a schema', async () => {
    const schema = await carSchema(run);
    const error = await rejection(
      run.client.crm.objects.basicApi.create(schema.objectTypeId!, { properties: {}, associations: [] }),
    );
    expect(error.body).toMatchObject({ category: 'VALIDATION_ERROR', context: { properties: ['vin'] } });
  });

  it('lists, changes and removes schemas and their associations', async () => {
    const schema = await carSchema(run);
    expect((await run.client.crm.schemas.coreApi.getAll()).results.map((one) => one.name)).toEqual(['car']);
    expect((await run.client.crm.schemas.coreApi.getById('p1000001_car')).objectTypeId).toBe(schema.objectTypeId);
    expect(
      (await run.client.crm.schemas.coreApi.update(schema.objectTypeId!, { labels: { singular: 'Vehicle', plural: 'Vehicles' } }))
        .labels.singular,
    ).toBe('Vehicle');
    const link = await run.client.crm.schemas.coreApi.createAssociation(schema.objectTypeId!, {
      fromObjectTypeId: schema.objectTypeId!,
      toObjectTypeId: '0-2',
      name: 'car_to_company',
    });
    expect(link).toMatchObject({ fromObjectTypeId: schema.objectTypeId, toObjectTypeId: '0-2', name: 'car_to_company' });
    await run.client.crm.schemas.coreApi.archiveAssociation(schema.objectTypeId!, link.id);
    const made = await run.client.crm.objects.basicApi.create(schema.objectTypeId!, {
      properties: { vin: '1' },
      associations: [],
    });
    expect((await rejection(run.client.crm.schemas.coreApi.archive(schema.objectTypeId!))).code).toBe(400);
    await run.client.crm.objects.basicApi.archive(schema.objectTypeId!, made.id);
    await run.client.crm.schemas.coreApi.archive(schema.objectTypeId!);
    expect((await run.client.crm.schemas.coreApi.getAll()).results).toEqual([]);
    expect((await run.client.crm.schemas.coreApi.getAll(true)).results).toHaveLength(1);
  });
});

describe('the official client against pipelines, owners and the account', () => {
  it('has the default pipelines and makes new ones', async () => {
    const defaults = await run.client.crm.pipelines.pipelinesApi.getAll('deals');
    expect(defaults.results[0]).toMatchObject({ id: 'default' });
    expect(defaults.results[0]!.stages.map((stage) => stage.id)).toEqual([
      'appointmentscheduled',
      'qualifiedtobuy',
      'presentationscheduled',
      'decisionmakerboughtin',
      'contractsent',
      'closedwon',
      'closedlost',
    ]);
    const made = await run.client.crm.pipelines.pipelinesApi.create('deals', {
      label: 'Sim',
      displayOrder: 1,
      stages: [{ label: 'S', displayOrder: 0, metadata: { probability: '0.5' } }],
    });
    expect(made.stages[0]).toMatchObject({ label: 'S', metadata: { probability: '0.5', isClosed: 'false' } });
    const stage = await run.client.crm.pipelines.pipelineStagesApi.create('deals', made.id, {
      label: 'T',
      displayOrder: 1,
      metadata: { probability: '1.0' },
    });
    expect((await run.client.crm.pipelines.pipelineStagesApi.getAll('deals', made.id)).results.map((one) => one.label)).toEqual([
      'S',
      'T',
    ]);
    expect(
      (
        await run.client.crm.pipelines.pipelineStagesApi.update('deals', made.id, stage.id, {
          label: 'U',
          metadata: { probability: '1.0' },
        })
      ).label,
    ).toBe('U');
    expect((await run.client.crm.pipelines.pipelineStagesApi.getById('deals', made.id, stage.id)).metadata).toMatchObject({
      isClosed: 'true',
    });
    await run.client.crm.pipelines.pipelineStagesApi.archive('deals', made.id, stage.id);
    expect((await run.client.crm.pipelines.pipelinesApi.update('deals', made.id, { label: 'Sim 2' })).label).toBe('Sim 2');
    expect((await run.client.crm.pipelines.pipelinesApi.getById('deals', made.id)).stages).toHaveLength(1);
    await run.client.crm.pipelines.pipelinesApi.archive('deals', made.id);
    expect((await rejection(run.client.crm.pipelines.pipelinesApi.getById('deals', made.id))).code).toBe(404);
  });

  it('accepts only stages of the pipeline, and fills in the only pipeline', async () => {
    const deal = await run.client.crm.deals.basicApi.create({
      properties: { dealname: 'D', dealstage: 'closedwon', amount: '12.50' },
      associations: [],
    });
    expect(deal.properties).toMatchObject({ pipeline: 'default', amount: '12.50' });
    const wrong = await rejection(run.client.crm.deals.basicApi.update(deal.id, { properties: { dealstage: 'Closed Won' } }));
    expect(wrong.body.errors[0]).toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining(
        'Closed Won is not a valid pipeline stage ID. Valid options are: pipelineId=default : [appointmentscheduled,',
      ),
    });
    const missing = await rejection(run.client.crm.deals.basicApi.create({ properties: { amount: '1' }, associations: [] }));
    expect(missing.body).toMatchObject({
      message: 'Error creating DEAL. Some required properties were not set.',
      context: { properties: ['dealname', 'dealstage'] },
    });
  });

  it('has one owner, and refuses owners it does not know', async () => {
    const owners = await run.client.crm.owners.ownersApi.getPage();
    expect(owners.results).toHaveLength(1);
    const owner = owners.results[0]!;
    expect((await run.client.crm.owners.ownersApi.getById(Number(owner.id))).email).toBe(owner.email);
    expect((await run.client.crm.owners.ownersApi.getPage('nobody@x.co')).results).toEqual([]);
    const contact = await run.client.crm.contacts.basicApi.create({
      properties: { email: 'a@x.co', hubspot_owner_id: owner.id },
      associations: [],
    });
    expect(
      (await rejection(run.client.crm.contacts.basicApi.update(contact.id, { properties: { hubspot_owner_id: '1' } }))).code,
    ).toBe(400);
  });

  it('tells about the account through apiRequest', async () => {
    const response = await run.client.apiRequest({ method: 'GET', path: '/account-info/v3/details' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ portalId: 1000001, timeZone: 'UTC' });
    expect((await run.client.apiRequest({ method: 'GET', path: '/webhooks-journal/journal/2026-03/earliest' })).status).toBe(204);
  });
});
