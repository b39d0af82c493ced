import type { Step } from '@sluice/contracts';
import { defaultExpressionLimits, eventContext, touches, WorkBudget } from '@sluice/flow-engine';
import type { AssociateAnswer, CrmRecords } from '@sluice/ports';
import { partialPort } from '@sluice/ports/testing';
import { itemsUnderWay } from './run-items';
import { crmThat, landed, person, run, upsertMany } from './test-support/bulk-run';
import { type ExamplePortal, startExamplePortal } from './test-support/example-portal';
import { flowOf, portsOf, shopEntities as entities } from './test-support/step-run';

let portal: ExamplePortal;
beforeAll(async () => {
  portal = await startExamplePortal();
});
afterAll(() => portal.close());

const link: Step = {
  id: 'link',
  action: 'associate_many',
  target: 'crm',
  items: '$.payload.people',
  from_entity: 'contact',
  from_external_id: '$._item.email',
  to_entity: 'company',
  to_external_id: '$._item.domain',
};

const one: AssociateAnswer = { ok: true, value: { associated: 1, failed: 0, skipped: 0, removed: 0, results: [] } };

describe('the bounds of a list', () => {
  it('so many items are under way at once', async () => {
    let [now, most] = [0, 0];
    const { crm } = crmThat(async () => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return landed;
    });
    await run(
      Array.from({ length: 2 * itemsUnderWay }, (_, index) => person(`p${index}`)),
      { crm },
    );
    expect(most).toBe(itemsUnderWay);
  });

  it('a list that costs more than the budget of its event writes nothing', async () => {
    const { crm, asked } = crmThat(async () => landed);
    const budget = new WorkBudget({ ...defaultExpressionLimits, steps: 2_000 });
    const people = Array.from({ length: 100 }, (_, index) => person(`p${index}`));
    expect(
      await run(people, { crm, context: { payload: { people }, event_type: 't', connector_id: 'c', budget } }),
    ).toMatchObject({
      kind: 'fail',
      failure: { kind: 'permanent', code: 'expression_limit' },
    });
    expect(asked).toEqual([]);
  });

  it('ten thousand records, upserted and associated, are within it', async () => {
    const people = Array.from({ length: 10_000 }, (_, index) => person(`p${index}`, { domain: 'x.co' }));
    const ctx = eventContext({ payload: { people }, event_type: 't', connector_id: 'c' });
    const { crm } = crmThat(async () => landed, { associate: async () => one });
    const ports = portsOf({ crm });
    for (const step of [upsertMany, link]) {
      const outcome = await flowOf([step]).steps[0]!.run({ entities, ctx, ports, signal: new AbortController().signal });
      expect(outcome).toMatchObject({ kind: 'done' });
    }
  });

  it('says which records a short list touches, and leaves a long one to run alone', () => {
    const ctx = (count: number) =>
      eventContext({
        payload: { people: Array.from({ length: count }, (_, index) => person(`p${index}`)) },
        event_type: 't',
        connector_id: 'c',
      });
    expect(touches(flowOf([upsertMany]), ctx(1))).toEqual({ writes: ['contact:p0@x.co', 'contacts#p0@x.co'], reads: [] });
    expect(touches(flowOf([upsertMany]), ctx(201))).toBeNull();
  });
});

describe('associate_many', () => {
  const ada = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@x.co' } };
  const bob = { objectType: 'contacts', crm_id: '502', properties: { email: 'bob@x.co' } };
  const company = { objectType: 'companies', crm_id: '900', properties: { domain: 'x.co' } };

  it('associates a pair per element, skips those without an id, and waits only for those still to come', async () => {
    const people = [person('ada', { domain: 'x.co' }), person('bob', { domain: 'x.co' }), person('cy')];
    const without = portal.holding({ records: [ada, company] });
    const outcome = await without.run(({ crm }) => run(people, { step: link, crm }));
    expect(outcome).toMatchObject({
      kind: 'retry',
      wrote: true,
      failure: { code: 'related_record_not_synced', stepsAside: true },
      output: {
        associated: 1,
        failed: 0,
        skipped: 1,
        results: [
          { from_external_id: 'ada@x.co', to_external_id: 'x.co', status: 'associated', error: null },
          { from_external_id: 'bob@x.co', status: 'open' },
          { from_external_id: 'cy@x.co', to_external_id: null, status: 'skipped' },
        ],
      },
    });
    expect(without.linked(company, 'contacts')).toEqual(['501']);
    const ended = outcome.items.filter(({ status }) => status !== 'open');
    const held = portal.holding({ records: [ada, bob, company], links: [['501', '900']] });
    expect(await held.run(({ crm }) => run(people, { step: link, crm, ended }))).toMatchObject({
      kind: 'done',
      output: { associated: 2, skipped: 1 },
    });
    expect(held.linked(company, 'contacts')).toEqual(['501', '502']);
  });

  it('hands the type and the size of a call on', async () => {
    const asked: unknown[] = [];
    const crm = partialPort<CrmRecords>('crm', { associate: async (request) => (asked.push(request), one) });
    const step = { ...link, association_type_id: 12, association_category: 'USER_DEFINED', chunk_size: 7 };
    await run([person('ada', { domain: 'x.co' })], { step, crm });
    expect(asked).toMatchObject([{ associationTypeId: 12, associationCategory: 'USER_DEFINED', chunkSize: 7 }]);
  });
});

describe('update_many', () => {
  it('skips records that are not there and makes none', async () => {
    const held = portal.holding({ records: [{ objectType: 'contacts', crm_id: '501', properties: { email: 'ada@x.co' } }] });
    const step = { ...upsertMany, action: 'update_many' };
    const outcome = await held.run(({ crm }) => run([person('ada', { first_name: 'Ada' }), person('bob')], { step, crm }));
    expect(outcome.items.map(({ status, reason }) => [status, reason])).toEqual([
      ['succeeded', null],
      ['skipped', 'record_not_found'],
    ]);
    expect(held.records('contacts')).toHaveLength(1);
  });
});
