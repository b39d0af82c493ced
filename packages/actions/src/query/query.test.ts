import type { Step } from '@sluice/contracts';
import { compileFlow, eventContext } from '@sluice/flow-engine';
import { CrmRecordsTwin, portTwins } from '@sluice/ports/testing';
import type { ActionPorts } from '../define-action';
import { findAction } from '../registry';

const people = ['ada', 'bob', 'cy'].map((name, index) => ({
  objectType: 'contacts',
  crm_id: `50${index}`,
  properties: { email: `${name}@x.co` },
}));

/** CRM ids of the rows that one condition gives. */
async function rowsOf(filter: object, payload: unknown): Promise<unknown[]> {
  const step: Step = { id: 'it', action: 'query', target: 'crm', object_type: 'contacts', filters: [filter] };
  const flow = compileFlow<ActionPorts>(
    { name: 'f', source: 'event_api', event_type: 't', steps: [step] },
    { entities: new Map(), actions: findAction },
  );
  const ctx = eventContext({ payload, event_type: 't', connector_id: 'c' });
  const ports = portTwins({ crm: new CrmRecordsTwin(people) });
  const outcome = await flow.steps[0]!.run({ entities: flow.entities, ctx, ports, signal: new AbortController().signal });
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  return (outcome.output.rows as { crm_id: string }[]).map(({ crm_id }) => crm_id);
}

const IN = { property: 'email', operator: 'IN' };

describe('query', () => {
  it.each([
    ['a list', ['ada@x.co', '$.payload.second'], ['500', '501']],
    ['a reference to a list', '$.payload.all', ['500', '502']],
    ['all matches of a wildcard', '$.payload.guests[*].mail', ['501', '502']],
    ['a list in a list', ['ada@x.co', '$.payload.all'], ['500', '502']],
    ['one value', '$.payload.second', ['501']],
    ['a list that the event does not have', '$.payload.none', []],
    ['an empty list', '$.payload.empty', []],
  ])('takes %s for its values', async (_, values, ids) => {
    const guests = [{ mail: 'bob@x.co' }, { mail: 'cy@x.co' }];
    const payload = { second: 'bob@x.co', all: ['ada@x.co', 'cy@x.co'], guests, empty: [] };
    expect((await rowsOf({ ...IN, values }, payload)).sort()).toEqual(ids);
  });
});
