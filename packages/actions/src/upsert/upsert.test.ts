import type { Step } from '@sluice/contracts';
import { compileEntity, compileFlow, eventContext, touches, type Outcome } from '@sluice/flow-engine';
import { CrmRecordsTwin, portTwins } from '@sluice/ports/testing';
import type { ActionPorts } from '../define-action';
import { findAction } from '../registry';
import { companyEntity, contactEntity } from '../shared/order-examples';

const entities = new Map([contactEntity, companyEntity].map((entity) => [entity.name, compileEntity(entity)]));
const flowOf = (steps: Step[]) =>
  compileFlow<ActionPorts>({ name: 'f', source: 'event_api', event_type: 't', steps }, { entities, actions: findAction });
const contextOf = (payload: unknown) => eventContext({ payload, event_type: 't', connector_id: 'c' });
const linked: Step = {
  id: 'up',
  action: 'upsert',
  target: 'crm',
  entity: 'contact',
  associations: [{ to_entity: 'company', to_external_id: '$.payload.domain' }],
};
const ada = { email: 'ada@example.com', first_name: 'Ada', domain: 'example.com' };

function run(step: Step, payload: unknown, crm: CrmRecordsTwin): Promise<Outcome> {
  return flowOf([step]).steps[0]!.run({
    entities,
    ctx: contextOf(payload),
    ports: portTwins({ crm }),
    signal: new AbortController().signal,
  });
}

describe('upsert', () => {
  it('never makes a second record of one identity', async () => {
    const crm = new CrmRecordsTwin();
    await run(linked, { ...ada, domain: null }, crm);
    await run(linked, { ...ada, domain: null, first_name: 'Augusta' }, crm);
    expect(crm.records('contacts').map((record) => record.properties)).toEqual([
      { email: 'ada@example.com', firstname: 'Augusta' },
    ]);
  });

  it('associates what it wrote', async () => {
    const crm = new CrmRecordsTwin([{ objectType: 'companies', crm_id: '900', properties: { domain: 'example.com' } }]);
    expect(await run(linked, ada, crm)).toMatchObject({ kind: 'done', wrote: true });
    expect(crm.associations()).toEqual([{ from: '1', to: '900', typeId: null }]);
  });

  it('says that it wrote when only the association failed', async () => {
    expect(await run(linked, ada, new CrmRecordsTwin())).toMatchObject({
      kind: 'retry',
      wrote: true,
      failure: { code: 'related_record_not_synced', stepsAside: true },
      output: { crm_id: '1', created: true },
    });
  });

  it('passes the failures of the CRM on, having written nothing', async () => {
    const crm = new CrmRecordsTwin();
    crm.failNext({ kind: 'transient', code: 'crm_rate_limited', message: '429', retryAfterMs: 3000 });
    expect(await run(linked, ada, crm)).toMatchObject({
      kind: 'retry',
      wrote: false,
      failure: { retryAfterMs: 3000 },
      output: { entity: 'contact', external_id: 'ada@example.com', crm_id: null },
    });
  });

  it('names the mapping that gives no identity', async () => {
    expect(await run(linked, { first_name: 'Ada' }, new CrmRecordsTwin())).toMatchObject({
      kind: 'fail',
      output: { entity: 'contact', external_id: null },
      failure: { kind: 'permanent', code: 'identity_missing', message: expect.stringContaining("mapping 'email'") as unknown },
    });
  });
});

describe('associate', () => {
  const link = { id: 'a', action: 'associate', target: 'crm', from_entity: 'contact', from_external_id: '$.payload.email' };

  it.each([
    ['no record to start from', { to_entity: 'company', to_external_id: '$.payload.domain' }, { domain: 'example.com' }],
    [
      'nobody in the list, also with replace',
      { to_entity: 'company', items: '$.payload.none', to_external_id: '$._item', replace: true },
      ada,
    ],
  ])('does nothing with %s', async (_title, more, payload) => {
    const crm = new CrmRecordsTwin();
    crm.failNext({ kind: 'fatal', code: 'crm_forbidden', message: 'the CRM was asked' });
    expect(await run({ ...link, ...more }, payload, crm)).toMatchObject({
      kind: 'done',
      wrote: false,
      output: { associated: 0, reason: 'missing_external_id' },
    });
  });
});

describe('what steps touch', () => {
  it.each<[string, Step, unknown, unknown]>([
    [
      'the record it writes and those it leads to',
      linked,
      ada,
      {
        writes: ['contact:ada@example.com', 'contacts#ada@example.com'],
        reads: ['company:example.com', 'companies#example.com'],
      },
    ],
    [
      'both ends of an association',
      {
        id: 'a',
        action: 'associate',
        target: 'crm',
        from_entity: 'contact',
        from_external_id: '$.payload.email',
        items: '$.payload.domains',
        to_entity: 'company',
        to_external_id: '$._item',
      },
      { email: 'E', domains: ['x', 'y'] },
      { writes: [], reads: ['contact:E', 'contacts#e', 'company:x', 'companies#x', 'company:y', 'companies#y'] },
    ],
    [
      'not decidable when a step output is needed',
      { ...linked, associations: [{ to_entity: 'company', to_external_id: '$find.external_id' }] },
      ada,
      null,
    ],
    [
      'not decidable for a search by values',
      { id: 'f', action: 'find', target: 'crm', entity: 'contact', match: { firstname: '$.payload.first_name' } },
      ada,
      null,
    ],
    [
      'the record of an identity that is searched for',
      { id: 'f', action: 'find', target: 'crm', object_type: 'contacts', match: { email: '$.payload.email' } },
      ada,
      { writes: [], reads: ['contacts#ada@example.com'] },
    ],
    [
      'not decidable for a search by more than the identity',
      { id: 'f', action: 'find', target: 'crm', entity: 'contact', match: { email: '$.payload.email', firstname: 'Ada' } },
      ada,
      null,
    ],
    [
      'the record a find names',
      { id: 'f', action: 'find', target: 'crm', entity: 'contact', external_id: '$.payload.email' },
      ada,
      { writes: [], reads: ['contact:ada@example.com', 'contacts#ada@example.com'] },
    ],
    ['nothing for skip', { id: 's', action: 'skip', reason: '$find.why' }, ada, null],
  ])('%s', (_title, step, payload, expected) => {
    expect(touches(flowOf([step]), contextOf(payload))).toEqual(expected);
  });

  it('foretells the external id that an upsert gives to later steps, and nothing else of its output', () => {
    const link = (from: string): Step => ({
      id: 'a',
      action: 'associate',
      target: 'crm',
      from_entity: 'contact',
      from_external_id: from,
      to_entity: 'company',
      to_external_id: '$.payload.domain',
    });
    expect(touches(flowOf([linked, link('$up.external_id')]), contextOf(ada))).toEqual({
      writes: ['contact:ada@example.com', 'contacts#ada@example.com'],
      reads: ['company:example.com', 'companies#example.com', 'contact:ada@example.com', 'contacts#ada@example.com'],
    });
    expect(touches(flowOf([linked, link('$up.crm_id')]), contextOf(ada))).toBeNull();
  });
});
