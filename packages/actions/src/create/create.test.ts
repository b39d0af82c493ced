import type { ExampleRecord } from '../action-definition';
import { type ExamplePortal, startExamplePortal } from '../shared/test-support/example-portal';
import { runStep } from '../shared/test-support/step-run';

let portal: ExamplePortal;
beforeAll(async () => {
  portal = await startExamplePortal();
});
afterAll(() => portal.close());

const company: ExampleRecord = { objectType: 'companies', crm_id: '900', properties: { domain: 'example.com' } };
const ada: ExampleRecord = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } };
const mapped = { entity: 'contact', externalId: 'ada@example.com' };

async function run(records: ExampleRecord[], fields: object = {}) {
  const associations = [{ to_entity: 'company', to_external_id: '$.payload.domain' }];
  const step = { action: 'create', target: 'crm', entity: 'contact', associations, ...fields };
  const crm = portal.holding({ records: [company, ...records] });
  const payload = { email: 'ada@example.com', first_name: 'Ada', domain: 'example.com' };
  const outcome = await crm.run((ports) => runStep(step, payload, { ports: { crm: ports.crm } }));
  return { outcome, links: crm.linked(company, 'contacts').length, contacts: crm.records('contacts') };
}

describe('create', () => {
  it('associates a new record', async () => {
    const { outcome, links } = await run([]);
    expect(outcome).toMatchObject({ kind: 'done', wrote: true, output: { created: true } });
    expect(links).toBe(1);
  });

  it('associates a mapped record although it writes none of its values: an earlier attempt may have made it', async () => {
    const { outcome, links, contacts } = await run([{ ...ada, mapped }]);
    expect(outcome).toMatchObject({ kind: 'done', wrote: false, output: { skipped: true, reason: 'already_mapped' } });
    expect(links).toBe(1);
    expect(contacts[0]!.properties).toEqual({ email: 'ada@example.com' });
  });

  it('does not change a record of another client, nor its associations', async () => {
    const { outcome, links, contacts } = await run([ada]);
    expect(outcome).toMatchObject({ kind: 'done', wrote: false, output: { skipped: true, reason: 'already_exists' } });
    expect(links).toBe(0);
    expect(contacts[0]!.properties).toEqual({ email: 'ada@example.com' });
  });

  it('writes to the CRM only', async () => {
    const { outcome } = await run([], { target: 'erp' });
    const message = expect.stringContaining('post') as string;
    expect(outcome).toMatchObject({ kind: 'fail', failure: { code: 'target_not_crm', message } });
  });
});
