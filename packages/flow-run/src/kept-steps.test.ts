import type { ActionPorts } from '@sluice/actions';
import type { CompiledStep, FailureCode, Repeat, StepItem, StepReport } from '@sluice/flow-engine';
import type { KeptSteps } from '@sluice/ports';
import { earlierSteps, haveWritten, type KeptAttempt, keptSteps } from './kept-steps';

const stepOf = (id: string, repeat: Repeat, more: Partial<CompiledStep<ActionPorts>> = {}): CompiledStep<ActionPorts> => ({
  id, action: `${id}s`, when: () => true, effect: 'write', repeat, bound: true, touches: () => null,
  signature: { about: `about ${id}`, authored: `authored ${id}` },
  run: () => Promise.reject(new Error('not in this test')),
  ...more,
});
const report = (id: string, more: Partial<StepReport> = {}): StepReport => ({
  id, action: `${id}s`, effect: 'write', status: 'done', output: { by: id }, reason: null, failure: null, wrote: false, ...more,
});
const refused = (id: string, code: FailureCode, kind: 'transient' | 'permanent' = 'transient'): StepReport =>
  report(id, { status: 'failed', output: null, failure: { kind, code, message: '' } });
const item = (index: number, status: StepItem['status']): StepItem => ({
  index, key: `k${index}`, entity: 'person', external_id: `k${index}`, crm_id: null, status, reason: null, failure: null,
});

const flow = {
  steps: [
    stepOf('look', 'kept', { effect: 'read' }), stepOf('save', 'again'), stepOf('tell', 'kept', { bound: false }),
    stepOf('shape', 'anew', { effect: 'control', bound: false }),
  ],
};
const kept = (reports: StepReport[], more: Partial<KeptAttempt> = {}): KeptSteps | null =>
  keptSteps(flow, { reports, before: null, binding: 1, characters: 10_000, begunAt: 1_000, ...more });
const outputs = (steps: KeptSteps | null) => Object.fromEntries(
  Object.entries(steps ?? {}).map(([id, { output }]) => [id, output]),
);
const look = report('look', { effect: 'read' });

describe('kept steps', () => {
  it('are none while nothing can have taken effect: the next attempt searches again', () => {
    expect(kept([look, refused('save', 'crm_rate_limited')])).toBeNull();
    expect(kept([look, refused('save', 'crm_rejected', 'permanent')])).toBeNull();
  });

  it.each<[string, StepReport[], string[]]>([
    ['a step wrote', [look, report('save', { wrote: true }), refused('tell', 'target_unavailable')], ['look', 'save']],
    ['a step that is not repeated ended', [report('tell'), refused('save', 'crm_rate_limited')], ['tell']],
  ])('hold outputs once %s', (_when, reports, ids) => {
    expect(outputs(kept(reports))).toEqual(Object.fromEntries(ids.map((id) => [id, { by: id }])));
  });

  it('hold outputs once a write got no answer, and since when it may have taken effect', () => {
    const before = kept([look, refused('save', 'crm_timeout')]);
    expect(outputs(before)).toEqual({ look: { by: 'look' }, save: null });
    expect(earlierSteps(flow, before, 1)!['save']).toMatchObject({ unansweredSince: 1_000 });
    const later = kept([look, refused('save', 'crm_rate_limited')], { before, begunAt: 2_000 });
    expect(later!['save']).toMatchObject({ unansweredSince: 1_000, wrote: false });
    expect(earlierSteps(flow, later, 2)!['save']).toBeUndefined();
  });

  it.each(['failed', 'stepped_aside'] as const)('hold what took effect of a step that %s, until it has ended', (status) => {
    const failure = { kind: 'transient', code: 'crm_unavailable', message: '' } as const;
    const before = kept([report('save', { status, failure, wrote: true, output: { created: true } })]);
    expect(earlierSteps(flow, before, 1)!['save']).toMatchObject({ output: null, landed: { created: true } });
    const repeated = kept([report('save', { status, failure, output: { created: false } })], { before });
    expect(earlierSteps(flow, repeated, 1)!['save']).toMatchObject({ landed: { created: true } });
    const ended = kept([report('save', { wrote: true, output: { created: true } })], { before });
    expect(earlierSteps(flow, ended, 1)!['save']).toMatchObject({ output: { created: true }, landed: null });
  });

  it('hold no output of a step whose output is made anew, or that did not run', () => {
    const reports = [report('save', { wrote: true }), report('shape'), report('tell', { status: 'skipped', output: null })];
    expect(Object.keys(kept(reports)!)).toEqual(['save']);
  });

  it('hold the items that ended, also of a step that failed', () => {
    const items = [item(0, 'succeeded'), item(1, 'open'), item(2, 'failed')];
    expect(kept([{ ...refused('save', 'crm_unavailable'), items }])!['save']!.items.map(({ index }) => index)).toEqual([0, 2]);
  });

  it('keep the first output, also when the step failed or was not reached in a later attempt', () => {
    const before = kept([report('save', { wrote: true, output: { n: 1 } }), refused('tell', 'target_unavailable')]);
    expect(outputs(kept([refused('save', 'crm_unavailable')], { before }))).toEqual({ save: { n: 1 } });
    expect(outputs(kept([look], { before }))).toMatchObject({ save: { n: 1 } });
  });

  it('leave out an output beyond their size, and what was found under another binding', () => {
    const reports = [report('save', { wrote: true, output: { text: 'x'.repeat(50) } }), report('tell')];
    expect(outputs(kept(reports, { characters: 40 }))).toEqual({ save: null, tell: { by: 'tell' } });
    const all = [report('save', { wrote: true, output: { text: 'x'.repeat(30) } }), report('tell')];
    expect(outputs(kept(all, { characters: 50 }))).toEqual({ save: null, tell: { by: 'tell' } });
    const before = kept([report('save', { wrote: true }), report('tell')]);
    expect(outputs(kept([], { before, binding: 2 }))).toEqual({ tell: { by: 'tell' } });
  });

  it('say that something was written, under the binding in force', () => {
    const steps = kept([report('save', { wrote: true })]);
    expect([haveWritten(steps, 1), haveWritten(steps, 2), haveWritten(null, 1)]).toEqual([true, false, false]);
    expect(haveWritten(kept([report('tell', { wrote: true })]), 2)).toBe(true);
  });
});

describe('the steps of earlier attempts', () => {
  const before = kept([{ ...report('save', { wrote: true }), items: [item(0, 'succeeded')] }, report('tell')])!;
  const changed = (about: string, authored: string) =>
    ({ steps: flow.steps.map((one) => (one.id === 'save' ? { ...one, signature: { about, authored } } : one)) });

  it('count with items and output for the same step', () => {
    expect(earlierSteps(flow, before, 1)).toEqual({
      save: { output: { by: 'save' }, items: [item(0, 'succeeded')], landed: null, unansweredSince: null },
      tell: { output: { by: 'tell' }, items: [], landed: null, unansweredSince: null },
    });
    expect(earlierSteps(flow, null, 1)).toBeNull();
  });

  it('count with their items for a step that works on the same, and not at all for another', () => {
    const same = earlierSteps(changed('about save', 'other fields'), before, 1);
    expect(same!['save']).toEqual({ output: null, items: [item(0, 'succeeded')], landed: null, unansweredSince: null });
    expect(Object.keys(earlierSteps(changed('another entity', 'authored save'), before, 1)!)).toEqual(['tell']);
  });

  it('count under another binding only where they do not depend on it', () => {
    expect(Object.keys(earlierSteps(flow, before, 2)!)).toEqual(['tell']);
  });
});
