import type { Step } from '@sluice/contracts';
import { apply, startRun } from '@sluice/flow-engine';
import { canonicalContact } from '../shared/order-examples';
import { compiled, contextOf, flowOf, portsOf } from '../shared/test-support/step-run';

const entities = compiled(canonicalContact);
const step = (id: string, to: string): Step => ({
  id, action: 'transform', entity: 'contact', from_schema: 'shop', to_schema: to,
});

/** Runs steps one after the other; the state after the last. */
async function run(steps: Step[], payload: unknown) {
  let state = startRun(contextOf(payload));
  for (const one of flowOf(steps, entities).steps) {
    const outcome = await one.run({ entities, ctx: state.ctx, ports: portsOf({}), signal: new AbortController().signal });
    state = apply(state, one, outcome);
  }
  return state;
}

describe('transform', () => {
  it('makes $.canonical of a schema named canonical, which later steps read', async () => {
    const state = await run([step('a', 'canonical'), step('b', 'erp')], { email: 'Ada@Example.com', first_name: 'Ada' });
    expect(state.ctx.canonical).toEqual({ email: 'ada@example.com', name: { first: 'Ada' } });
    expect(state.ctx.outputs.b).toEqual({ mail_address: 'ada@example.com' });
  });

  it('leaves $.canonical alone for any other schema', async () => {
    const state = await run([step('a', 'newsletter')], { email: 'ada@example.com' });
    expect(state.ctx.canonical).toBeNull();
    expect(state.ctx.outputs.a).toEqual({ address: 'ada@example.com' });
  });

  it('fails for good, naming the mapping or what is missing', async () => {
    const { reports: broken } = await run([step('a', 'canonical')], { email: { not: 'a text' } });
    expect(broken[0]).toMatchObject({
      status: 'failed',
      failure: { kind: 'permanent', code: 'mapping_failed', message: expect.stringContaining('$.canonical.email') as string },
    });
    const { reports: unknown } = await run([step('a', 'nowhere')], {});
    expect(unknown[0]!.failure).toMatchObject({ kind: 'permanent', code: 'unknown_schema' });
  });
});
