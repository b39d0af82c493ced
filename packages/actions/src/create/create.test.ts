import type { Step } from '@sluice/contracts';
import { compileEntity, compileFlow, eventContext } from '@sluice/flow-engine';
import { CrmRecordsTwin, type TwinRecord } from '@sluice/ports/testing';
import type { ActionPorts } from '../define-action';
import { findAction } from '../registry';
import { companyEntity, contactEntity } from '../shared/order-examples';

const entities = new Map([contactEntity, companyEntity].map((entity) => [entity.name, compileEntity(entity)]));
const company: TwinRecord = { objectType: 'companies', crm_id: '900', properties: { domain: 'example.com' } };
const ada: TwinRecord = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } };
const mapped = { entity: 'contact', externalId: 'ada@example.com' };

async function run(records: TwinRecord[], fields: object = {}) {
  const associations = [{ to_entity: 'company', to_external_id: '$.payload.domain' }];
  const step: Step = { id: 'it', action: 'create', target: 'crm', entity: 'contact', associations, ...fields };
  const flow = compileFlow<ActionPorts>(
    { name: 'f', source: 'event_api', event_type: 't', steps: [step] },
    { entities, actions: findAction },
  );
  const crm = new CrmRecordsTwin([company, ...records]);
  const payload = { email: 'ada@example.com', first_name: 'Ada', domain: 'example.com' };
  const ctx = eventContext({ payload, event_type: 't', connector_id: 'c' });
  const asked: Pick<ActionPorts, 'crm'> = { crm };
  const ports = asked as ActionPorts;
  const outcome = await flow.steps[0]!.run({ entities, ctx, ports, signal: new AbortController().signal });
  return { outcome, links: crm.associations().length, contacts: crm.records('contacts') };
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

  it('leaves a record of somebody else as it is, its associations too', async () => {
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
