import { type ExampleCrm, type ExamplePortal, startExamplePortal } from '../shared/test-support/example-portal';
import { runStep } from '../shared/test-support/step-run';

let portal: ExamplePortal;
beforeAll(async () => {
  portal = await startExamplePortal();
});
afterAll(() => portal.close());

const ada = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } };
const associations = [{ to_entity: 'company', to_external_id: '$.payload.domain' }];

const run = (crm: ExampleCrm, payload: unknown, fields: object = {}) =>
  crm.run((ports) => runStep({ action: 'update', target: 'crm', entity: 'contact', ...fields }, payload, { ports }));

describe('update', () => {
  it('never creates a record, and associates nothing without one', async () => {
    const crm = portal.holding({});
    const outcome = await run(crm, { email: 'ada@example.com', domain: 'example.com' }, { associations });
    expect(outcome).toMatchObject({ kind: 'done', wrote: false, output: { skipped: true, reason: 'record_not_found' } });
    expect(crm.records('contacts')).toEqual([]);
  });

  it('says that it wrote when only the association is still to come', async () => {
    const crm = portal.holding({ records: [ada] });
    const outcome = await run(crm, { email: 'ada@example.com', domain: 'example.com' }, { associations });
    expect(outcome).toMatchObject({ kind: 'retry', wrote: true, failure: { stepsAside: true }, output: { crm_id: '501' } });
  });

  it('needs an identity, and the CRM as its target', async () => {
    const crm = portal.holding({});
    expect(await run(crm, { first_name: 'Ada' })).toMatchObject({ kind: 'fail', failure: { code: 'identity_missing' } });
    const other = await run(crm, { email: 'ada@example.com' }, { target: 'erp' });
    const message = expect.stringContaining('post') as string;
    expect(other).toMatchObject({ kind: 'fail', failure: { code: 'target_not_crm', message } });
  });
});
