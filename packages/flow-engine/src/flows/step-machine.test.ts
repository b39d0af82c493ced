import type { Step } from '@sluice/contracts/config-document';
import fc from 'fast-check';
import { compileFlow, type Effect } from './compiled-flow';
import { done, failed, permanent, skip, type Outcome } from './outcome';
import { apply, applySkip, decide, exhausted, startRun, type RunOutcome, type RunState } from './step-machine';
import { aContext } from '../testing/a-context';
import { defaultExpressionLimits, WorkBudget } from '../work-budget';

const effects: Record<string, Effect> = {
  upsert: 'write',
  delete_attachments: 'write',
  associate: 'associate',
  dissociate: 'associate',
  find: 'read',
  skip: 'control',
};
const actions = (name: string) => ({
  compile: () => ({ effect: effects[name]!, run: async () => done({}), touches: () => null }),
});
const flowOf = (steps: Step[]) =>
  compileFlow({ name: 'f', source: 's', event_type: 't', steps }, { entities: new Map(), actions });
const step = (id: string, action: string, more: object = {}): Step => ({ id, action, ...more });

/** Drives the machine with prepared outcomes, by step id. */
function drive(
  steps: Step[],
  outcomes: Record<string, Outcome>,
  payload: unknown = {},
  wroteBefore = false,
): { outcome: RunOutcome; state: RunState } {
  const flow = flowOf(steps);
  let state = startRun(aContext(payload), wroteBefore);
  for (;;) {
    const decision = decide(flow, state);
    if (decision.kind === 'finished') return { outcome: decision.outcome, state };
    state = decision.kind === 'run' ? apply(state, decision.step, outcomes[decision.step.id]!) : applySkip(state, decision.step);
  }
}

const wrote = done({ crm_id: '1', skipped: false }, { wrote: true });
const unneeded = (reason: string): Outcome => done({ crm_id: '1', skipped: true, reason });
const transient = failed({ kind: 'transient', code: 'crm_unavailable', message: '503' });
const aside = failed({ kind: 'transient', code: 'related_record_not_synced', message: 'later', stepsAside: true });
const fatal = failed({ kind: 'fatal', code: 'crm_forbidden', message: '403' });
const refused = permanent('crm_rejected', '400');

const cases: [title: string, steps: Step[], outcomes: Record<string, Outcome>, expected: object][] = [
  ['all done', [step('a', 'upsert'), step('b', 'associate')], { a: wrote, b: wrote }, { status: 'completed' }],
  ['reads only', [step('a', 'find')], { a: done({ found: false }) }, { status: 'completed' }],
  ['no steps', [], {}, { status: 'completed' }],
  ['no write needed', [step('a', 'upsert')], { a: unneeded('unchanged') }, { status: 'skipped', reason: 'unchanged' }],
  [
    'superseded, its association landed',
    [step('a', 'upsert'), step('b', 'associate')],
    { a: unneeded('superseded'), b: wrote },
    { status: 'skipped', reason: 'superseded' },
  ],
  [
    'one of two writes needed',
    [step('a', 'upsert'), step('b', 'upsert')],
    { a: unneeded('unchanged'), b: wrote },
    { status: 'completed' },
  ],
  [
    'a link was removed, the record had nothing to delete',
    [step('a', 'dissociate'), step('b', 'delete_attachments')],
    { a: wrote, b: unneeded('nothing_to_delete') },
    { status: 'completed' },
  ],
  [
    'an association landed, the record exists already',
    [step('a', 'associate'), step('b', 'upsert')],
    { a: wrote, b: unneeded('exists') },
    { status: 'completed' },
  ],
  [
    'an association without ids only',
    [step('a', 'associate')],
    { a: done({ associated: 0, reason: 'missing_external_id' }) },
    { status: 'skipped', reason: 'missing_external_id' },
  ],
  [
    'halted by skip',
    [step('a', 'skip'), step('b', 'upsert')],
    { a: skip('test order') },
    { status: 'skipped', reason: 'test order' },
  ],
  [
    'halted after the write',
    [step('a', 'upsert'), step('b', 'skip')],
    { a: wrote, b: skip('rest skipped by when') },
    { status: 'completed' },
  ],
  [
    'main write refused',
    [step('a', 'upsert'), step('b', 'associate')],
    { a: refused },
    { status: 'failed', stepId: 'a', failure: { code: 'crm_rejected' } },
  ],
  ['main write fatal', [step('a', 'upsert')], { a: fatal }, { status: 'hold', stepId: 'a', wrote: false }],
  ['main write transient', [step('a', 'upsert')], { a: transient }, { status: 'retry', stepId: 'a', wrote: false }],
  [
    'accessory refused',
    [step('a', 'upsert'), step('b', 'associate')],
    { a: wrote, b: refused },
    { status: 'partial_success', stepId: 'b' },
  ],
  [
    'accessory fatal',
    [step('a', 'upsert'), step('b', 'associate')],
    { a: wrote, b: fatal },
    { status: 'partial_success', stepId: 'b' },
  ],
  [
    'accessory transient',
    [step('a', 'upsert'), step('b', 'associate')],
    { a: wrote, b: transient },
    { status: 'retry', stepId: 'b', wrote: true },
  ],
  [
    'a part of the step itself refused',
    [step('a', 'upsert')],
    { a: failed({ kind: 'permanent', code: 'association_failed', message: '' }, { output: {}, wrote: true }) },
    { status: 'partial_success' },
  ],
  [
    'counterpart does not exist yet, the other steps run',
    [step('a', 'upsert'), step('b', 'associate'), step('c', 'upsert')],
    { a: wrote, b: aside, c: wrote },
    { status: 'aside', stepId: 'b', wrote: true },
  ],
  [
    'a later failure takes precedence over stepping aside',
    [step('b', 'associate'), step('c', 'upsert')],
    { b: aside, c: refused },
    { status: 'failed', stepId: 'c' },
  ],
  ['an identity guard', [step('a', 'upsert')], { a: permanent('identity_guard', '') }, { status: 'quarantined' }],
];

describe('the step machine', () => {
  it.each(cases)('%s', (_title, steps, outcomes, expected) => {
    expect(drive(steps, outcomes).outcome).toMatchObject(expected);
  });

  it('skips a step whose when is false: its output is null; nothing applied is a skip', () => {
    const { outcome, state } = drive(
      [step('a', 'upsert', { when: { exists: '$.payload.x' } }), step('b', 'find', { when: { exists: '$a.crm_id' } })],
      {},
    );
    expect(outcome).toEqual({ status: 'skipped', reason: 'no_step_applied' });
    expect(state.ctx.outputs).toEqual({ a: null, b: null });
  });

  it('lets later steps read earlier outputs', () => {
    const { state } = drive([step('a', 'find'), step('b', 'upsert', { when: { found: 'a' } })], {
      a: done({ found: true }),
      b: wrote,
    });
    expect(state.reports.map((report) => report.status)).toEqual(['done', 'done']);
  });

  it('remembers a write of an earlier attempt', () => {
    expect(drive([step('a', 'upsert')], { a: refused }, {}, true).outcome).toMatchObject({ status: 'partial_success' });
    expect(drive([step('a', 'upsert')], { a: transient }, {}, true).outcome).toMatchObject({ status: 'retry', wrote: true });
    expect(drive([step('a', 'upsert')], { a: unneeded('unchanged') }, {}, true).outcome).toEqual({ status: 'completed' });
    expect([exhausted({ wrote: true }), exhausted({ wrote: false })]).toEqual(['partial_success', 'parked']);
  });

  it('keeps the canonical form a step gives', () => {
    const { state } = drive([step('a', 'find')], { a: done({}, { canonical: { city: 'Ulm' } }) });
    expect(state.ctx.canonical).toEqual({ city: 'Ulm' });
  });

  const anyOutcome = fc.constantFrom(wrote, unneeded('unchanged'), unneeded('superseded'), transient, aside, fatal, refused,
    skip('x'));
  const anyAction = fc.constantFrom('upsert', 'associate', 'find');

  it('always ends, never runs a step after a failure or a halt, and never says nothing was written when something was', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyAction, anyOutcome, fc.boolean()), { maxLength: 8 }), (plan) => {
        const steps = plan.map(([action, , runs], index) =>
          step(`s${index}`, action, runs ? {} : { when: { exists: '$.payload.no' } }),
        );
        const { outcome, state } = drive(steps, Object.fromEntries(plan.map(([, outcome], index) => [`s${index}`, outcome])));
        const stop = state.reports.findIndex((report) => report.status === 'failed' || report.status === 'halted');
        expect(stop === -1 ? plan.length : stop + 1).toBe(state.reports.length);
        const landed = state.reports.some((report) => report.wrote);
        expect(state.wrote).toBe(landed);
        if (['failed', 'hold', 'quarantined'].includes(outcome.status)) expect(landed).toBe(false);
        if (outcome.status === 'partial_success') expect(landed).toBe(true);
        const recordLanded = state.reports.some((report) => report.wrote && report.action === 'upsert');
        const superseded = outcome.status === 'skipped' && outcome.reason === 'superseded';
        if (outcome.status === 'skipped') expect(superseded ? recordLanded : landed).toBe(false);
      }),
    );
  });

  it('does not change the states it is given', () => {
    const flow = flowOf([step('a', 'upsert')]);
    const before = startRun(aContext({}));
    const copy = structuredClone(before);
    apply(before, flow.steps[0]!, wrote);
    applySkip(before, flow.steps[0]!);
    expect(before).toEqual(copy);
  });

  it('fails a step whose condition exceeds the limits', async () => {
    const flow = flowOf([step('a', 'upsert', { when: { exists: '$.payload.list[*]' } })]);
    const budget = new WorkBudget({ ...defaultExpressionLimits, matches: 2 });
    const decision = decide(flow, startRun(aContext({ list: [1, 2, 3] }, { budget })));
    if (decision.kind !== 'run') throw new Error('expected a step to run');
    const outcome = await decision.step.run({ entities: new Map(), ctx: aContext({}), ports: {}, signal: { aborted: false } });
    expect(outcome).toMatchObject({ kind: 'fail', failure: { kind: 'permanent', code: 'expression_limit' } });
  });
});
