import type { Step } from '@sluice/contracts';
import { touches, type Outcome } from '@sluice/flow-engine';
import { type ExampleCrm, type ExamplePortal, startExamplePortal } from '../shared/test-support/example-portal';
import { contextOf, flowOf, runStep } from '../shared/test-support/step-run';

let portal: ExamplePortal;
beforeAll(async () => {
  portal = await startExamplePortal();
});
afterAll(() => portal.close());

const linked: Step = {
  id: 'up',
  action: 'upsert',
  target: 'crm',
  entity: 'contact',
  associations: [{ to_entity: 'company', to_external_id: '$.payload.domain' }],
};
const company = { objectType: 'companies', crm_id: '900', properties: { domain: 'example.com' } };
const ada = { email: 'ada@example.com', first_name: 'Ada', domain: 'example.com' };

const run = (step: Step, payload: unknown, held: ExampleCrm): Promise<Outcome> =>
  held.run(({ crm }) => runStep(step, payload, { ports: { crm } }));

describe('upsert', () => {
  it('never makes a second record of one identity', async () => {
    const crm = portal.holding({});
    await run(linked, { ...ada, domain: null }, crm);
    await run(linked, { ...ada, domain: null, first_name: 'Augusta' }, crm);
    expect(crm.records('contacts').map((record) => record.properties)).toEqual([
      { email: 'ada@example.com', firstname: 'Augusta' },
    ]);
  });

  it('associates what it wrote', async () => {
    const crm = portal.holding({ records: [company] });
    expect(await run(linked, ada, crm)).toMatchObject({ kind: 'done', wrote: true });
    expect(crm.linked(company, 'contacts')).toEqual(crm.records('contacts').map(({ crm_id }) => crm_id));
  });

  it('says that it wrote when only the association failed', async () => {
    expect(await run(linked, ada, portal.holding({}))).toMatchObject({
      kind: 'retry',
      wrote: true,
      failure: { code: 'related_record_not_synced', stepsAside: true },
      output: { crm_id: '101', created: true },
    });
  });

  it('passes the failures of the CRM on, having written nothing', async () => {
    const crm = portal.holding({});
    crm.refuse('ada@example.com', { status: 429, message: '429', headers: { 'retry-after': '3' } });
    expect(await run(linked, ada, crm)).toMatchObject({
      kind: 'retry',
      wrote: false,
      failure: { retryAfterMs: 3000 },
      output: { entity: 'contact', external_id: 'ada@example.com', crm_id: null },
    });
  });

  it('names the mapping that gives no identity', async () => {
    expect(await run(linked, { first_name: 'Ada' }, portal.holding({}))).toMatchObject({
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
    expect(await runStep({ ...link, ...more }, payload, { ports: {} })).toMatchObject({
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
