import type { Step } from '@sluice/contracts';
import { compileEntity, compileFlow, eventContext } from '@sluice/flow-engine';
import { CrmRecordsTwin, portTwins } from '@sluice/ports/testing';
import type { ActionPorts } from '../define-action';
import { findAction } from '../registry';
import { companyEntity, contactEntity } from '../shared/order-examples';

const entities = new Map([contactEntity, companyEntity].map((entity) => [entity.name, compileEntity(entity)]));
const associations = [{ to_entity: 'company', to_external_id: '$.payload.domain' }];

async function run(crm: CrmRecordsTwin, payload: unknown, fields: object = {}) {
  const step: Step = { id: 'it', action: 'update', target: 'crm', entity: 'contact', ...fields };
  const flow = compileFlow<ActionPorts>(
    { name: 'f', source: 'event_api', event_type: 't', steps: [step] },
    { entities, actions: findAction },
  );
  const ctx = eventContext({ payload, event_type: 't', connector_id: 'c' });
  return flow.steps[0]!.run({ entities, ctx, ports: portTwins({ crm }), signal: new AbortController().signal });
}

describe('update', () => {
  it('never creates a record, and associates nothing without one', async () => {
    const crm = new CrmRecordsTwin();
    const outcome = await run(crm, { email: 'ada@example.com', domain: 'example.com' }, { associations });
    expect(outcome).toMatchObject({ kind: 'done', wrote: false, output: { skipped: true, reason: 'record_not_found' } });
    expect(crm.records()).toEqual([]);
  });

  it('says that it wrote when only the association is still to come', async () => {
    const crm = new CrmRecordsTwin([{ objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } }]);
    const outcome = await run(crm, { email: 'ada@example.com', domain: 'example.com' }, { associations });
    expect(outcome).toMatchObject({ kind: 'retry', wrote: true, failure: { stepsAside: true }, output: { crm_id: '501' } });
  });

  it('needs an identity, and the CRM as its target', async () => {
    const crm = new CrmRecordsTwin();
    expect(await run(crm, { first_name: 'Ada' })).toMatchObject({ kind: 'fail', failure: { code: 'identity_missing' } });
    const other = await run(crm, { email: 'ada@example.com' }, { target: 'erp' });
    const message = expect.stringContaining('post') as string;
    expect(other).toMatchObject({ kind: 'fail', failure: { code: 'target_not_crm', message } });
  });
});
