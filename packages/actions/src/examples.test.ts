import { compileEntity, compileFlow, eventContext, type StepInput } from '@sluice/flow-engine';
import { CrmFilesTwin, CrmRecordsTwin, IdentityMapTwin, portTwins, RestTargetsTwin } from '@sluice/ports/testing';
import type { ActionPorts } from './define-action';
import { findAction, runnableActions } from './registry';

const examples = runnableActions().flatMap((action) =>
  action.examples.map((example) => ({ action, example, label: `${action.name}: ${example.title}` })),
);

describe('every documented example runs as it says', () => {
  it.each(examples)('$label', async ({ action, example }) => {
    const { given, expect: expected } = example;
    const entities = new Map(given.entities.map((entity) => [entity.name, compileEntity(entity)]));
    const step = { id: 'it', action: action.name, ...example.config };
    const flow = compileFlow<ActionPorts>(
      { name: 'example', source: 'event_api', event_type: 'x', steps: [step] },
      { entities, actions: findAction },
    );
    const base = eventContext({
      payload: given.payload,
      event_type: 'x',
      connector_id: 'c',
      external_id: given.external_id ?? null,
    });
    const crm = new CrmRecordsTwin(given.records ?? [], given.links ?? []);
    const files = new CrmFilesTwin(crm, given.attachments);
    const rest = new RestTargetsTwin(given.answers);
    const mapped = (given.records ?? []).flatMap(({ mapped: to, objectType, crm_id }) =>
      to ? [{ ...to, objectType, crmId: crm_id }] : [],
    );
    const input: StepInput<ActionPorts> = {
      entities,
      ctx: { ...base, outputs: given.outputs ?? {} },
      ports: portTwins({ crm, files, rest, identities: new IdentityMapTwin(mapped) }),
      signal: new AbortController().signal,
    };
    const outcome = await flow.steps[0]!.run(input);
    expect(outcome.kind).toBe(expected.kind);
    if (expected.output) expect(outcome).toMatchObject({ output: expected.output });
    if (expected.reason) expect(outcome).toMatchObject({ reason: expected.reason });
    if (expected.code) expect(outcome).toMatchObject({ failure: { code: expected.code } });
    if (example.requests) expect(rest.requests).toMatchObject(example.requests);
  });
});
