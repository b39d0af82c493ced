import { compileEntity, compileFlow } from '@sluice/flow-engine';
import type { CallResult, RecordWriteResult } from '@sluice/ports';
import type { ActionPorts } from '../action-ports';
import { findAction } from '../registry';
import { itemsUnderWay } from './run-items';
import { crmThat, down, landed, person, run, upsertMany } from './test-support/bulk-run';
import { type ExamplePortal, startExamplePortal } from './test-support/example-portal';

let portal: ExamplePortal;
beforeAll(async () => {
  portal = await startExamplePortal();
});
afterAll(() => portal.close());

describe('the items of a bulk write', () => {
  it('end separately: some may fail, and the step is done', async () => {
    const held = portal.holding({});
    held.refuse('ada@x.co', { status: 400, message: 'no such option' });
    const outcome = await held.run(({ crm }) => run([person('ada'), person('bob'), { first_name: 'Cy' }], { crm }));
    expect(outcome).toMatchObject({
      kind: 'done',
      wrote: true,
      output: {
        total: 3,
        succeeded: 1,
        failed: 2,
        skipped: 0,
        results: [
          { external_id: 'ada@x.co', crm_id: null, status: 'failed', error: 'no such option', reason: 'crm_rejected' },
          { external_id: 'bob@x.co', crm_id: '101', status: 'succeeded', error: null, reason: null },
          { external_id: null, status: 'failed', reason: 'identity_missing' },
        ],
      },
    });
    expect(held.records('contacts').map(({ properties }) => properties.email)).toEqual(['bob@x.co']);
  });

  it('fail the step when none of them succeeded', async () => {
    const messages = ['a', 'b'];
    const { crm } = crmThat(async () => ({ ok: false, kind: 'permanent', code: 'crm_rejected', message: messages.shift()! }));
    expect(await run([person('ada'), person('bob')], { crm })).toMatchObject({
      kind: 'fail',
      wrote: false,
      failure: { code: 'crm_rejected', message: 'a' },
      output: { total: 2, failed: 2 },
    });
  });

  it.each([
    ['no list', undefined],
    ['null', null],
    ['an empty list', []],
  ])('with %s nothing is done', async (_title, people) => {
    expect(await run(people)).toMatchObject({
      kind: 'done',
      wrote: false,
      output: { total: 0, results: [], reason: 'no_items' },
    });
  });

  it('are projected as the payload, and are $._item', async () => {
    const mappings = [
      { source: '$.payload.email', target: 'email' },
      { source: '$._item.name', target: 'firstname' },
      { source: '$.event_type', target: 'lastname' },
    ];
    const entity = compileEntity({
      name: 'contact',
      schemas: { crm: { object_type: 'contacts', identity: { property: 'email' }, field_mappings: mappings } },
    });
    const held = portal.holding({});
    const flow = compileFlow<ActionPorts>(
      { name: 'f', source: 'event_api', event_type: 't', steps: [upsertMany] },
      { entities: new Map([['contact', entity]]), actions: findAction },
    );
    // The event is an entry of `entities`: its id is not that of the items.
    const ctx = flow.contextOf({
      payload: { people: [person('ada', { name: 'Ada' })] },
      event_type: 'contact_synced',
      connector_id: 'c',
      external_id: 'E-1',
      source_type: 'event_api',
    });
    const { entities } = flow;
    const { signal } = new AbortController();
    const outcome = await held.run((ports) => flow.steps[0]!.run({ entities, ctx, ports, signal }));
    expect(outcome).toMatchObject({ items: [{ external_id: 'ada@x.co' }] });
    expect(held.records('contacts').map(({ properties }) => properties)).toEqual([
      { email: 'ada@x.co', firstname: 'Ada', lastname: 'contact_synced' },
    ]);
  });

  it('of one record are written in the order of the list', async () => {
    let release = (): void => undefined;
    const first = new Promise<void>((resolve) => (release = resolve));
    const { crm, asked } = crmThat(async ({ identityValue }) => {
      if (identityValue === 'ada@x.co' && asked.filter((one) => one === 'ada@x.co').length === 1) await first;
      return landed;
    });
    const running = run([person('ada'), person('ADA'), person('bob')], { crm });
    await Promise.resolve();
    expect(asked).toEqual(['ada@x.co', 'bob@x.co']);
    release();
    expect((await running).items.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(asked).toEqual(['ada@x.co', 'bob@x.co', 'ada@x.co']);
  });
});

describe('an attempt with open items', () => {
  it('is repeated for the open items only', async () => {
    const failing = new Set(['bob@x.co']);
    const { crm, asked } = crmThat(async ({ identityValue }) => (failing.has(identityValue!) ? down : landed));
    const people = [person('ada'), person('bob'), { first_name: 'Cy' }];
    const first = await run(people, { crm });
    expect(first).toMatchObject({ kind: 'retry', wrote: true, failure: { code: 'crm_unavailable' } });
    expect(first.items.map(({ status }) => status)).toEqual(['succeeded', 'open', 'failed']);
    failing.clear();
    const second = await run(people, { crm, ended: first.items.filter(({ status }) => status !== 'open') });
    expect(second).toMatchObject({ kind: 'done', output: { total: 3, succeeded: 2, failed: 1 } });
    expect(asked).toEqual(['ada@x.co', 'bob@x.co', 'bob@x.co']);
  });

  it('tries again an element whose position has another element now', async () => {
    const { crm, asked } = crmThat(async () => landed);
    const { items } = await run([person('ada')], { crm });
    await run([person('bob')], { crm, ended: items });
    expect(asked).toEqual(['ada@x.co', 'bob@x.co']);
  });

  it('does not write a later value of a record before an earlier one', async () => {
    const { crm, asked } = crmThat(async () => down);
    const outcome = await run([person('ada', { first_name: 'old' }), person('ada', { first_name: 'new' })], { crm });
    expect(outcome.items.map(({ status }) => status)).toEqual(['open', 'open']);
    expect(asked).toEqual(['ada@x.co']);
  });

  it('stops when the CRM does not answer', async () => {
    const { crm, asked } = crmThat(async () => down);
    const people = Array.from({ length: 3 * itemsUnderWay }, (_, index) => person(`p${index}`));
    expect((await run(people, { crm })).kind).toBe('retry');
    expect(asked.length).toBeLessThan(2 * itemsUnderWay);
  });

  it.each(['lease_lost', 'portal_dry'] as const)('stops at %s, which would fail every item', async (code) => {
    const { crm, asked } = crmThat(async () => ({ ...down, code }));
    const people = Array.from({ length: 2 * itemsUnderWay }, (_, index) => person(`p${index}`));
    expect(await run(people, { crm })).toMatchObject({ kind: 'retry', failure: { code } });
    expect(asked).toHaveLength(itemsUnderWay);
  });

  it('is fatal when the credential is refused, and waits as long as the CRM asks for', async () => {
    const answers: CallResult<RecordWriteResult>[] = [
      { ...down, retryAfterMs: 3_000 },
      { ok: false, kind: 'fatal', code: 'crm_forbidden', message: '403' },
    ];
    const { crm } = crmThat(async () => answers.shift() ?? landed);
    expect(await run([person('ada'), person('bob')], { crm })).toMatchObject({ kind: 'fail', failure: { kind: 'fatal' } });
    const busy: CallResult<RecordWriteResult>[] = [
      { ...down, retryAfterMs: 1_000 },
      { ...down, retryAfterMs: 3_000 },
    ];
    const again = crmThat(async () => busy.shift() ?? landed);
    expect(await run([person('ada'), person('bob')], { crm: again.crm })).toMatchObject({ failure: { retryAfterMs: 3_000 } });
  });
});
