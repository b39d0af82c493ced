import { compileFlow, touches, type StepProgram } from './compiled-flow';
import { compileEntity } from './compiled-entity';
import { done } from './outcome';
import { ExpressionLimitError } from '../work-budget';

const entities = new Map(
  ['contact', 'order'].map((name) => [name, compileEntity({ name, schemas: { crm: { object_type: name } } })]),
);
const program = (touched: ReturnType<StepProgram<unknown>['touches']>): StepProgram<unknown> => ({
  effect: 'write',
  run: async () => done({}),
  touches: () => touched,
});
const actions = (name: string) => {
  const known: Record<string, StepProgram<unknown>> = {
    write: program({ writes: ['contact:1'], reads: [] }),
    link: program({ writes: [], reads: ['contact:1', 'order:2'] }),
    open: program(null),
  };
  return known[name] && { compile: () => known[name]! };
};
const flow = (names: string[]) =>
  compileFlow(
    {
      name: 'f',
      source: 's',
      event_type: '*',
      steps: names.map((action, index) => ({
        id: `s${index}`,
        action,
        when: { exists: '$.payload.no' },
        entity: index === 0 ? 'order' : 'contact',
      })),
    },
    { entities, actions },
  );
const event = { payload: {}, event_type: 'contact_synced', connector_id: 'c', external_id: 'X1', source_type: 'event_api' };

describe('compileFlow', () => {
  it('refuses an action that cannot run', () => {
    expect(() => flow(['fly'])).toThrow(/'fly' cannot run/);
  });

  it.each([
    ['the entity named like the entry type', event, 'contact'],
    ['else the entity of the first step', { ...event, event_type: 'customer_synced' }, 'order'],
    ['none for the data shape', { ...event, external_id: null }, null],
    ['none for other sources', { ...event, source_type: 'webhook' }, null],
  ])('knows whose record an entry is: %s', (_title, given, expected) => {
    const ctx = flow(['write', 'link']).contextOf(given);
    expect(ctx.own_entity).toBe(expected);
    expect(ctx.external_id).toBe(given.external_id);
  });

  it('adds up what the steps touch, as if all of them ran', () => {
    const compiled = flow(['write', 'link', 'write']);
    expect(touches(compiled, compiled.contextOf(event))).toEqual({ writes: ['contact:1'], reads: ['contact:1', 'order:2'] });
  });

  it('fails a step permanently whose expressions cost too much, and leaves its touched records undecided', async () => {
    const asksTooMuch = (): never => {
      throw new ExpressionLimitError('more than 5 steps of work for one event');
    };
    const greedy: StepProgram<unknown> = { effect: 'write', run: asksTooMuch, touches: asksTooMuch };
    const compiled = compileFlow(
      { name: 'f', source: 's', event_type: '*', steps: [{ id: 'big', action: 'greedy' }] },
      { entities, actions: () => ({ compile: () => greedy }) },
    );
    const ctx = compiled.contextOf(event);
    const outcome = await compiled.steps[0]!.run({ entities, ctx, ports: {}, signal: { aborted: false } });
    const message = "step 'big' asks for more than 5 steps of work for one event";
    expect(outcome).toEqual({ kind: 'fail', failure: { kind: 'permanent', code: 'expression_limit', message } });
    expect(touches(compiled, ctx)).toBeNull();
  });

  it('does not decide when one step cannot', () => {
    const compiled = flow(['write', 'open']);
    expect(touches(compiled, compiled.contextOf(event))).toBeNull();
  });
});
