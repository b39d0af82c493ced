import { type ExamplePortal, startExamplePortal } from '../shared/test-support/example-portal';
import { runStep } from '../shared/test-support/step-run';

let portal: ExamplePortal;
beforeAll(async () => {
  portal = await startExamplePortal();
});
afterAll(() => portal.close());

const people = ['ada', 'bob', 'cy'].map((name, index) => ({
  objectType: 'contacts',
  crm_id: `50${index}`,
  properties: { email: `${name}@x.co` },
}));

/** CRM ids of the rows that one condition gives. */
async function rowsOf(filter: object, payload: unknown): Promise<unknown[]> {
  const step = { action: 'query', target: 'crm', object_type: 'contacts', filters: [filter] };
  const outcome = await portal.holding({ records: people }).run((ports) => runStep(step, payload, { ports }));
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
