import { touches, type Outcome } from '@sluice/flow-engine';
import type { CrmRecords } from '@sluice/ports';
import { partialPort } from '@sluice/ports/testing';
import { type ExampleCrm, type ExamplePortal, startExamplePortal } from '../shared/test-support/example-portal';
import { contextOf, flowOf, runStep } from '../shared/test-support/step-run';

let portal: ExamplePortal;
beforeAll(async () => {
  portal = await startExamplePortal();
});
afterAll(() => portal.close());

/** Gives a company exactly the contacts the event lists. */
const step = {
  id: 'people', action: 'associate', target: 'crm', from_entity: 'company', from_external_id: '$.payload.domain',
  items: '$.payload.people', to_entity: 'contact', to_external_id: '$._item.email', replace: true,
};
const run = (payload: unknown, held: ExampleCrm): Promise<Outcome> =>
  held.run(({ crm }) => runStep(step, payload, { ports: { crm } }));

describe('what associate touches', () => {
  const ctx = contextOf({ domain: 'example.com', people: [{ email: 'ada@example.com' }] });
  const company = ['company:example.com', 'companies#example.com'];
  const contact = ['contact:ada@example.com', 'contacts#ada@example.com'];

  it('counts as read only, so that associations may share a batch', () => {
    expect(touches(flowOf([{ ...step, replace: false }]), ctx)).toEqual({ writes: [], reads: [...company, ...contact] });
  });

  it('is written with replace: which associations are left depends on the order', () => {
    expect(touches(flowOf([step]), ctx)).toEqual({ writes: company, reads: contact });
  });
});

describe('associate with replace', () => {
  const domain = 'example.com';
  const company = { objectType: 'companies', crm_id: '900', properties: { domain } };
  const withAda = async (): Promise<ExampleCrm> => {
    const crm = portal.holding({
      records: [
        company,
        { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } },
        { objectType: 'contacts', crm_id: '502', properties: { email: 'bob@example.com' } },
      ],
    });
    await run({ domain, people: [{ email: 'ada@example.com' }] }, crm);
    expect(crm.linked(company, 'contacts')).toEqual(['501']);
    return crm;
  };

  it('removes what the list does not contain', async () => {
    const crm = await withAda();
    await run({ domain, people: [{ email: 'bob@example.com' }] }, crm);
    expect(crm.linked(company, 'contacts')).toEqual(['502']);
  });

  it('removes all when the list is empty', async () => {
    const crm = await withAda();
    expect(await run({ domain, people: [] }, crm)).toMatchObject({
      kind: 'done',
      wrote: true,
      output: { associated: 0, results: [] },
    });
    expect(crm.linked(company, 'contacts')).toEqual([]);
    expect(await run({ domain, people: [] }, crm)).toMatchObject({ kind: 'done', wrote: false });
  });

  it.each([
    ['there is no list', { domain }],
    ['the list is null', { domain, people: null }],
    ['the list names nobody', { domain, people: [{ name: 'Bob' }] }],
    ['nothing names the company', { people: [] }],
  ])('removes nothing when %s', async (_, payload) => {
    const crm = await withAda();
    expect(await run(payload, crm)).toMatchObject({ kind: 'done', output: { associated: 0, reason: 'missing_external_id' } });
    expect(crm.linked(company, 'contacts')).toEqual(['501']);
  });
});

describe('associate, interrupted', () => {
  const results = [{ to_external_id: 'a', status: 'associated' as const, error: null }];
  const failure = {
    ok: false,
    kind: 'transient',
    code: 'related_record_not_synced',
    message: 'not yet',
    stepsAside: true,
  } as const;
  const interrupted = (landed?: { associated: number; removed: number }): Promise<Outcome> => {
    const answer = landed ? { ...failure, landed: { ...landed, failed: 0, skipped: 0, results } } : failure;
    const crm = partialPort<CrmRecords>('crm', { associate: () => Promise.resolve(answer) });
    return runStep(step, { domain: 'example.com', people: [{ email: 'a' }, { email: 'b' }] }, { ports: { crm } });
  };

  it('reports what was written although it failed', async () => {
    expect(await interrupted({ associated: 1, removed: 0 })).toMatchObject({
      kind: 'retry',
      wrote: true,
      output: { associated: 1, results },
    });
    expect(await interrupted({ associated: 0, removed: 2 })).toMatchObject({ kind: 'retry', wrote: true });
    expect(await interrupted({ associated: 0, removed: 0 })).toMatchObject({ kind: 'retry', wrote: false });
    expect(await interrupted()).toEqual({
      kind: 'retry',
      failure: expect.objectContaining({ code: 'related_record_not_synced', stepsAside: true }) as unknown,
    });
  });
});
