import { compileEntity, compileFlow, eventContext, type Outcome, type StepInput } from '@sluice/flow-engine';
import type { ActionPorts } from './action-ports';
import { findAction, runnableActions } from './registry';
import { type ExampleForm, type ExamplePortal, startExamplePortal } from './shared/test-support/example-portal';

const examples = runnableActions().flatMap((action) =>
  action.examples.map((example) => ({ action, example, label: `${action.name}: ${example.title}` })),
);

/** The form that a step submits. */
const formOf = ({ form_id: id, fields }: Readonly<Record<string, unknown>>): ExampleForm | undefined =>
  typeof id === 'string' ? { id, fields: (fields as { name: string }[]).map(({ name }) => name) } : undefined;

/** The examples run on the real CRM writer. */
describe('every documented example runs as it says', () => {
  let portal: ExamplePortal;
  beforeAll(async () => {
    portal = await startExamplePortal();
  });
  afterAll(() => portal.close());

  it.each(examples)('$label', async ({ action, example }) => {
    const { given, expect: expected } = example;
    const entities = new Map(given.entities.map((entity) => [entity.name, compileEntity(entity)]));
    const step = { id: 'it', action: action.name, ...example.config };
    const flow = compileFlow<ActionPorts>(
      { name: 'example', source: 'event_api', event_type: 'x', steps: [step] },
      { entities, actions: findAction },
    );
    const event = { payload: given.payload, event_type: 'x', connector_id: 'c', external_id: given.external_id ?? null };
    const ctx = { ...eventContext(event), outputs: given.outputs ?? {} };
    let requests: readonly unknown[] = [];
    const work = (ports: StepInput<ActionPorts>['ports'] & { rest: { requests: readonly unknown[] } }): Promise<Outcome> => {
      ({ requests } = ports.rest);
      return flow.steps[0]!.run({ entities, ctx, ports, signal: new AbortController().signal });
    };
    const outcome = portal.seen(await portal.holding(given, formOf(example.config)).run(work));
    expect(outcome).toMatchObject({ kind: expected.kind });
    if (expected.output) expect(outcome).toMatchObject({ output: expected.output });
    if (expected.reason) expect(outcome).toMatchObject({ reason: expected.reason });
    if (expected.code) expect(outcome).toMatchObject({ failure: { code: expected.code } });
    if (example.requests) expect(requests).toMatchObject(example.requests);
  });
});
