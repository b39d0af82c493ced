import { rejection, startForTest, type RunningSimulator } from './testing/start-for-test';

let run: RunningSimulator;
beforeAll(async () => {
  run = await startForTest();
});
beforeEach(() => run.call('POST', '/_sim/reset'));
afterAll(() => run.simulator.stop());

const api = () => run.client.crm.associations.v4;
const contact = async (name: string) =>
  (await run.client.crm.contacts.basicApi.create({ properties: { email: `${name}@x.co` }, associations: [] })).id;
const company = async (name: string) =>
  (await run.client.crm.companies.basicApi.create({ properties: { name }, associations: [] })).id;
const spec = (associationTypeId: number, associationCategory = 'HUBSPOT_DEFINED') => ({
  associationCategory: associationCategory as never,
  associationTypeId,
});
const typesOf = async (from: string, id: string, to: string) =>
  Object.fromEntries(
    (await api().basicApi.getPage(from, id, to)).results.map((one) => [
      one.toObjectId,
      one.associationTypes.map((type) => type.typeId).sort((a, b) => a - b),
    ]),
  );

describe('the official client against associations', () => {
  it('makes inline associations on create', async () => {
    const to = await company('Acme');
    const made = await run.client.crm.contacts.basicApi.create({
      properties: { email: 'a@x.co' },
      associations: [{ to: { id: to }, types: [spec(279)] }],
    });
    expect(await typesOf('companies', to, 'contacts')).toEqual({ [made.id]: [280] });
    const read = await run.client.crm.contacts.basicApi.getById(made.id, undefined, undefined, ['companies']);
    expect(read.associations?.['companies']?.results).toEqual([{ id: to, type: 'contact_to_company' }]);
  });

  it('moves the primary flag: a contact has one primary company, a company many contacts', async () => {
    const [a, b] = [await contact('a'), await contact('b')];
    const [x, y] = [await company('x'), await company('y')];
    await api().basicApi.create('contacts', a, 'companies', x, [spec(1)]);
    await api().basicApi.create('contacts', b, 'companies', x, [spec(1)]);
    await api().basicApi.create('contacts', a, 'companies', y, [spec(1)]);
    expect(await typesOf('contacts', a, 'companies')).toEqual({ [x]: [279], [y]: [1, 279] });
    expect(await typesOf('companies', x, 'contacts')).toEqual({ [a]: [280], [b]: [2, 280] });
  });

  it('lists both directions of a default association and removes them together', async () => {
    const [a, x] = [await contact('a'), await company('x')];
    const made = await api().basicApi.createDefault('contacts', a, 'companies', x);
    expect(made.results.map((one) => one.associationSpec.associationTypeId).sort()).toEqual([279, 280]);
    await api().basicApi.archive('companies', x, 'contacts', a);
    expect(await typesOf('contacts', a, 'companies')).toEqual({});
    await api().basicApi.archive('companies', x, 'contacts', a);
  });

  it('has paired labels that replace each other and keep the default', async () => {
    const [a, x] = [await contact('a'), await company('x')];
    const pair = await api().schema.definitionsApi.create('contacts', 'companies', {
      label: 'Buyer',
      name: 'buyer',
      inverseLabel: 'Bought from',
    });
    expect(pair.results.map((one) => [one.category, one.label])).toEqual([
      ['USER_DEFINED', 'Buyer'],
      ['USER_DEFINED', 'Bought from'],
    ]);
    const [buyer, boughtFrom] = pair.results.map((one) => one.typeId) as [number, number];
    const other = (await api().schema.definitionsApi.create('contacts', 'companies', { label: 'Adviser', name: 'adviser' }))
      .results[0]!.typeId;
    const set = await api().basicApi.create('contacts', a, 'companies', x, [spec(buyer, 'USER_DEFINED')]);
    expect(set).toMatchObject({
      fromObjectTypeId: '0-1',
      fromObjectId: a,
      toObjectTypeId: '0-2',
      toObjectId: x,
      labels: ['Buyer'],
    });
    expect(await typesOf('companies', x, 'contacts')).toEqual({ [a]: [280, boughtFrom] });
    await api().basicApi.create('contacts', a, 'companies', x, [spec(other, 'USER_DEFINED')]);
    expect(await typesOf('contacts', a, 'companies')).toEqual({ [x]: [279, other] });
    await api().schema.definitionsApi.update('contacts', 'companies', { associationTypeId: other, label: 'Counsel' });
    const all = await api().schema.definitionsApi.getAll('contacts', 'companies');
    expect(all.results.map((one) => one.label)).toEqual(expect.arrayContaining([null, 'Primary', 'Buyer', 'Counsel']));
    await api().schema.definitionsApi.remove('contacts', 'companies', other);
    expect(await typesOf('contacts', a, 'companies')).toEqual({ [x]: [279] });
  });

  it('works in batches: errors per input, none found is a 207 entry, archive of labels and of all', async () => {
    const [a, b, x] = [await contact('a'), await contact('b'), await company('x')];
    const made: any = await api().batchApi.create('contacts', 'companies', {
      inputs: [
        { _from: { id: a }, to: { id: x }, types: [spec(279), spec(1)] },
        { _from: { id: '99' }, to: { id: x }, types: [spec(279)] },
        { _from: { id: b }, to: { id: x }, types: [spec(280)] },
      ],
    });
    expect(made.results).toHaveLength(1);
    expect(made.errors.map((one: any) => one.subCategory)).toEqual([
      'crm.associations.FROM_OBJECT_NOT_FOUND',
      'crm.associations.INVALID_ASSOCIATION_TYPE',
    ]);
    expect(made.errors[0].message).toBe('No contact with ID 99 exists');
    const read: any = await api().batchApi.getPage('contacts', 'companies', { inputs: [{ id: a }, { id: b }] });
    expect(read.results).toMatchObject([{ _from: { id: a }, to: [{ toObjectId: x }] }]);
    expect(read.errors).toMatchObject([
      {
        subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
        message: `No company is associated with contact ${b}.`,
        context: { fromObjectId: [b] },
      },
    ]);
    await api().batchApi.archiveLabels('contacts', 'companies', {
      inputs: [{ _from: { id: a }, to: { id: x }, types: [spec(1)] }],
    });
    expect(await typesOf('contacts', a, 'companies')).toEqual({ [x]: [279] });
    await api().batchApi.archive('contacts', 'companies', { inputs: [{ _from: { id: a }, to: [{ id: x }] }] });
    expect(await typesOf('contacts', a, 'companies')).toEqual({});
  });

  it('enforces configured limits', async () => {
    const [a, x, y] = [await contact('a'), await company('x'), await company('y')];
    await run.call('POST', '/crm/v4/associations/definitions/configurations/contacts/companies/batch/create', {
      inputs: [{ category: 'HUBSPOT_DEFINED', typeId: 279, maxToObjectIds: 1 }],
    });
    await api().basicApi.createDefault('contacts', a, 'companies', x);
    expect((await rejection(api().basicApi.createDefault('contacts', a, 'companies', y))).code).toBe(400);
    expect(
      (await run.call('GET', '/crm/v4/associations/definitions/configurations/contacts/companies')).body.results,
    ).toMatchObject([{ typeId: 279, userEnforcedMaxToObjectIds: 1 }]);
    expect(
      (
        await run.call('POST', '/crm/v4/associations/definitions/configurations/contacts/companies/batch/purge', {
          inputs: [{ category: 'HUBSPOT_DEFINED', typeId: 279 }],
        })
      ).status,
    ).toBe(204);
    await api().basicApi.createDefault('contacts', a, 'companies', y);
  });

  it('keeps the older batch by type name', async () => {
    const [a, x] = [await contact('a'), await company('x')];
    const made = await run.client.crm.associations.batchApi.create('contacts', 'companies', {
      inputs: [{ _from: { id: a }, to: { id: x }, type: 'contact_to_company' }],
    });
    expect(made.results).toMatchObject([{ _from: { id: a }, to: { id: x }, type: 'contact_to_company' }]);
    const read = await run.client.crm.associations.batchApi.read('contacts', 'companies', { inputs: [{ id: a }] });
    expect(read.results[0]?.to).toEqual([{ id: x, type: 'contact_to_company' }]);
    await run.client.crm.associations.batchApi.archive('contacts', 'companies', {
      inputs: [{ _from: { id: a }, to: { id: x }, type: 'contact_to_company' }],
    });
    expect(await typesOf('contacts', a, 'companies')).toEqual({});
  });
});
