import { type ExamplePortal, startExamplePortal } from '../shared/test-support/example-portal';
import { runStep } from '../shared/test-support/step-run';

let portal: ExamplePortal;
beforeAll(async () => {
  portal = await startExamplePortal();
});
afterAll(() => portal.close());

const ada = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com', firstname: 'Ada', city: 'Graz' } };

async function run(fields: object, payload: unknown) {
  const step = { action: 'update_by_id', target: 'crm', entity: 'contact', object_id: '$.payload.id', ...fields };
  const crm = portal.holding({ records: [ada] });
  const outcome = await crm.run((ports) => runStep(step, payload, { ports }));
  return { outcome, properties: crm.records('contacts')[0]!.properties };
}

describe('update_by_id', () => {
  it('leaves alone what the event does not bring, and clears what it brings as null', async () => {
    const data = { firstname: '$.payload.name', city: '$.payload.city', jobtitle: 'order {$.payload.nr}' };
    const { outcome, properties } = await run({ data }, { id: '501', city: null, nr: 7 });
    expect(outcome).toMatchObject({ kind: 'done', wrote: true });
    expect(properties).toEqual({ email: 'ada@example.com', firstname: 'Ada', jobtitle: 'order 7' });
  });

  it.each([
    ['a reference', '$.payload.id'],
    ['a text made of the event', '{$.payload.prefix}01'],
    ['a literal', '501'],
  ])('takes %s for the id of the record', async (_, object_id) => {
    const { properties } = await run({ object_id, data: { firstname: 'Bo' } }, { id: 501, prefix: 5 });
    expect(properties.firstname).toBe('Bo');
  });

  it('writes nothing where the event brings nothing', async () => {
    const { outcome } = await run({ data: { firstname: '$.payload.name' } }, { id: '501' });
    expect(outcome).toMatchObject({ kind: 'done', wrote: false, output: { skipped: true, reason: 'nothing_to_write' } });
  });

  it('writes mapped properties only, where that is asked for', async () => {
    const { properties } = await run({ data: { firstname: 'A', city: 'Wien' }, mapped_properties_only: true }, { id: '501' });
    expect(properties).toMatchObject({ firstname: 'A', city: 'Graz' });
  });

  it('fails for good on a value that is no property value, and on a record that is not there', async () => {
    const list = await run({ data: { firstname: '$.payload.names' } }, { id: '501', names: ['a'] });
    expect(list.outcome).toMatchObject({ kind: 'fail', failure: { code: 'mapping_failed' } });
    const gone = await run({ data: { firstname: 'A' } }, { id: '999' });
    expect(gone.outcome).toMatchObject({ kind: 'fail', failure: { code: 'crm_not_found' } });
  });
});
