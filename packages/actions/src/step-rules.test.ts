import type { Entity, Step } from '@sluice/contracts';
import { RestTargetsTwin } from '@sluice/ports/testing';
import type { ExampleRecord } from './action-definition';
import { checkStep } from './check-step';
import { companyEntity, contactEntity } from './shared/order-examples';
import { type ExamplePortal, startExamplePortal } from './shared/test-support/example-portal';
import { runStep } from './shared/test-support/step-run';

let portal: ExamplePortal;
beforeAll(async () => {
  portal = await startExamplePortal();
});
afterAll(() => portal.close());

const ada = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } };
const bob = { objectType: 'contacts', crm_id: '502', properties: { email: 'bob@example.com' } };
const acme = { objectType: 'companies', crm_id: '900', properties: { domain: 'example.com' } };

function lab(records: ExampleRecord[] = []) {
  const [crm, rest] = [portal.holding({ records }), new RestTargetsTwin()];
  const run = (step: object, payload: unknown) => crm.run((ports) => runStep(step, payload, { ports: { crm: ports.crm, rest } }));
  return { crm, rest, run };
}
const problems = (step: object, authored: Entity[] = [contactEntity, companyEntity]) => {
  const one = { id: 'it', ...step } as Step;
  const flow = { name: 'f', source: 'event_api', event_type: 't', steps: [one] };
  return checkStep({ step: one, flow, config: { version: '3.1', entities: authored, flows: [flow], sources: [] } });
};

describe('upsert, create, update and delete', () => {
  it.each(['upsert', 'create', 'update', 'delete'])('%s says what it requires', (action) => {
    for (const fields of [{}, { target: 'crm' }, { entity: 'contact' }])
      expect(new Set(problems({ action, ...fields }).map(({ msg }) => msg))).toEqual(
        new Set(['step requires target and entity']),
      );
  });

  it.each(['upsert', 'create', 'update'])('%s to another target tells to use post', async (action) => {
    const outcome = await lab().run({ action, target: 'erp', entity: 'contact' }, { email: 'ada@example.com' });
    expect(outcome).toMatchObject({
      kind: 'fail',
      failure: { kind: 'permanent', message: expect.stringContaining('use post') as string },
    });
  });

  it.each([
    ['upsert', []],
    ['create', []],
    ['update', [ada]],
  ])('%s writes the mappings, never data', async (action, records) => {
    const { crm, run } = lab(records);
    const data = { firstname: 'From data', city: 'Graz', email: '$.payload.other' };
    await run(
      { action, target: 'crm', entity: 'contact', data },
      { email: 'ada@example.com', first_name: 'Ada', other: 'x@y.z' },
    );
    expect(crm.records('contacts').map(({ properties }) => properties)).toEqual([{ email: 'ada@example.com', firstname: 'Ada' }]);
  });

  it('delete does not read data either', async () => {
    const { crm, run } = lab([ada, bob]);
    await run(
      { action: 'delete', target: 'crm', entity: 'contact', data: { email: 'bob@example.com' } },
      { email: 'ada@example.com' },
    );
    expect(crm.records('contacts').map(({ crm_id }) => crm_id)).toEqual(['502']);
  });

  it.each([
    ['upsert', [], { email: 'ada@example.com' }],
    ['create', [], { email: 'ada@example.com', firstname: 'Ada' }],
    ['update', [ada], { email: 'ada@example.com', firstname: 'Ada' }],
  ])('%s: fields is an allowlist of an upsert only', async (action, records, properties) => {
    const { crm, run } = lab(records);
    const step = { action, target: 'crm', entity: 'contact', fields: ['email'] };
    await run(step, { email: 'ada@example.com', first_name: 'Ada' });
    expect(crm.records('contacts')[0]!.properties).toEqual(properties);
  });

  it('fields must name an entity of the config that has a schema to project', () => {
    const step = { action: 'upsert', target: 'crm', entity: 'contact', fields: ['email'] };
    expect(problems(step)).toEqual([]);
    const without: Entity = {
      name: 'contact',
      schemas: { erp: { field_mappings: [{ source: '$.payload.a', target: 'email' }] } },
    };
    for (const authored of [[], [without]])
      expect(problems(step, authored).map(({ type, path }) => [type, ...path])).toEqual([['fields_allowlist', 'fields']]);
  });
});

describe('associate', () => {
  const step = {
    action: 'associate',
    target: 'crm',
    from_entity: 'company',
    from_external_id: '$.payload.domain',
    to_entity: 'contact',
    to_external_id: '$._item.mail',
    items: '$.payload.people',
  };

  it('reads to_external_id per element of items; an element without an id is left out', async () => {
    const { crm, run } = lab([acme, ada, bob]);
    const people = [{ mail: 'ada@example.com' }, { name: 'nobody' }, { mail: 'bob@example.com' }];
    expect(await run(step, { domain: 'example.com', people })).toMatchObject({ kind: 'done', output: { associated: 2 } });
    expect(crm.linked(acme, 'contacts')).toEqual(['501', '502']);
  });

  it.each([
    ['from_external_id', { people: [{ mail: 'ada@example.com' }] }],
    ['to_external_id', { domain: 'example.com', people: [{}] }],
    ['items', { domain: 'example.com' }],
  ])('does nothing when the event has no %s', async (_, payload) => {
    const { crm, run } = lab([acme, ada]);
    expect(await run(step, payload)).toMatchObject({ kind: 'done', wrote: false });
    expect(crm.linked(acme, 'contacts')).toEqual([]);
  });
});

describe('requests of steps', () => {
  it('a receiver of notify has five seconds, and it is best effort', async () => {
    const { rest, run } = lab();
    await run({ action: 'notify', url: 'https://chat.example.com/hook' }, {});
    expect(rest.requests).toMatchObject([{ method: 'POST', timeoutMs: 5_000, bestEffort: true }]);
  });

  it.each([undefined, 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('post sends %s', async (method) => {
    const { rest, run } = lab();
    await run({ action: 'post', target: 'erp', url: '/x', ...(method && { method }) }, {});
    expect(rest.requests).toMatchObject([{ target: 'erp', method: method ?? 'POST' }]);
  });

  it('a delete at a destination names the external id in its url', () => {
    const step = { action: 'delete', target: 'erp', entity: 'contact' };
    expect(problems(step).map(({ msg }) => msg)).toEqual(['delete against a REST destination requires url']);
    expect(problems({ ...step, url: '/c/{$.payload.id}' }).map(({ msg }) => msg)).toEqual([
      'url of a REST delete must contain {external_id}',
    ]);
    expect(problems({ ...step, url: '/{$.payload.shop}/c/{external_id}' })).toEqual([]);
  });
});
