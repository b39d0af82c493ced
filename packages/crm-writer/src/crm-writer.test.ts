import { createMemoryKeyValue } from '@sluice/kv-memory';
import type { CallResult } from '@sluice/ports';
import {
  crmLifecycleConformance,
  crmLookupsConformance,
  crmRecordsConformance,
  type CrmRecordsLab,
} from '@sluice/ports/testing';
import type { UnitContext } from './shared/unit-context';
import { startTestPortal, testContext, type TestPortal } from './test-support';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

/** One unit asks, and no other unit is active. */
async function writerLab(): Promise<CrmRecordsLab> {
  portal.reset();
  const { writer, active } = portal.writer();
  const records = writer.recordsFor(testContext(1n, { binding: portal.binding }));
  const spaceOf = (objectType: string) => portal.state().space(portal.state().typeNamed(objectType)!);
  return {
    crm: {
      upsert: (write) => active(() => records.upsert(write)),
      update: (write) => active(() => records.update(write)),
      updateById: (request) => active(() => records.updateById(request)),
      query: (request) => active(() => records.query(request)),
      associated: (request) => active(() => records.associated(request)),
      find: (request) => active(() => records.find(request)),
      associate: (request) => active(() => records.associate(request)),
      create: (write) => active(() => records.create(write)),
      remove: (target) => active(() => records.remove(target)),
      dissociate: (request) => active(() => records.dissociate(request)),
      promote: (request) => active(() => records.promote(request)),
    },
    add: async (objectType, properties) => {
      const inputs = [{ traceId: 't', properties }];
      const made = await portal.client.batchCreate(portal.access, objectType, inputs, { timeoutMs: 5_000 });
      if (!made.ok) throw new Error(made.message);
      return made.value.results[0]!.id;
    },
    remove: async (objectType, id) => {
      const { store } = spaceOf(objectType);
      store.archive(store.findLive(id)!, portal.state().now());
    },
    records: async (objectType) =>
      [...spaceOf(objectType).store.records.values()]
        .filter(({ archived }) => !archived)
        .map(({ id, properties }) => ({ crm_id: id, properties })),
    links: async () => {
      const deals = portal.state().typeNamed('deals')!.id;
      return [...spaceOf('contacts').store.records.values()].flatMap(({ id, typeId }) =>
        [...portal.state().associations.of({ typeId, id }, deals).keys()].map((to): [string, string] => [id, to]),
      );
    },
  };
}

crmRecordsConformance('the CRM writer', writerLab);
crmLookupsConformance('the CRM writer', writerLab);
crmLifecycleConformance('the CRM writer', writerLab);

test('a unit may have several calls under way', async () => {
  portal.reset();
  const { writer, activity } = portal.writer();
  const records = writer.recordsFor(testContext(1n, { binding: portal.binding }));
  activity.enter();
  const emails = ['ada@example.com', 'bob@example.com', 'cy@example.com'];
  const found = await Promise.all(
    emails.map((email) => records.find({ objectType: 'contacts', match: { email }, properties: [] })),
  );
  expect(found).toEqual(emails.map(() => ({ ok: true, value: { record: null, count: 0 } })));
  expect(activity.quiet()).toBe(false);
  activity.leave();
  expect(activity.quiet()).toBe(true);
}, 10_000);

test('a unit whose partition is lost reaches the CRM with no call, except reads of the portal\'s definitions', async () => {
  portal.reset();
  const called: string[] = [];
  const noting = Object.entries(portal.client).map(([name, method]) => [
    name,
    (...args: unknown[]) => {
      called.push(name);
      return (method as (...all: unknown[]) => unknown)(...args);
    },
  ]);
  const { writer, active } = portal.writer({ client: Object.fromEntries(noting) as typeof portal.client });
  const records = writer.recordsFor(testContext(1n, { binding: portal.binding, owned: () => false }));
  const target = {
    entity: 'person', objectType: 'contacts', externalId: 'P1', identityProperty: 'email', identityValue: 'a@x.co',
  };
  const order = { ...target, entity: 'order', objectType: 'deals', externalId: 'A1', identityProperty: 'dealname' };
  const write = { ...target, properties: { email: 'a@x.co' } };
  const ends = { from: target, to: [order], toObjectType: 'deals' };
  const asks: (() => Promise<CallResult<unknown>>)[] = [
    () => records.upsert(write),
    () => records.upsert({ ...order, properties: {} }),
    () => records.update(write),
    () => records.updateById({ ...write, crmId: '1', conflicts: null }),
    () => records.create(write),
    () => records.remove(target),
    () => records.find({ objectType: 'contacts', match: { email: 'a@x.co' }, properties: [] }),
    () => records.find({ objectType: 'deals', match: { dealname: 'A' }, properties: [] }),
    () => records.find({ objectType: 'deals', match: { dealname: 'A', dealstage: 'x' }, properties: [] }),
    () => records.associate(ends),
    () => records.dissociate(ends),
    () => records.promote({ target, crmId: '1' }),
  ];
  for (const [index, ask] of asks.entries())
    expect([index, await active(ask)]).toMatchObject([index, { ok: false, code: 'lease_lost' }]);
  const definitions = ['properties', 'associationTypes', 'associationLimits', 'introspect'];
  expect(called.filter((name) => !definitions.includes(name))).toEqual([]);
});

test('two calls write a convoy of more records than one call takes, at once', async () => {
  portal.reset();
  portal.fault({ method: 'POST', path: /contacts\/batch\/upsert/, delayMs: 200 });
  const { writer, active } = portal.writer();
  const write = (n: number): Promise<CallResult<unknown>> => active(() => {
    const email = `p${n}@example.com`;
    const target = { entity: 'person', externalId: `P${n}`, identityProperty: 'email', identityValue: email };
    return writer.recordsFor(testContext(BigInt(n), { binding: portal.binding, inConvoy: true }))
      .upsert({ objectType: 'contacts', ...target, properties: { email } });
  });
  const written = await Promise.all(Array.from({ length: 150 }, (_, n) => write(n + 1)));
  expect(written.filter(({ ok }) => ok)).toHaveLength(150);
  const { callsByRoute, highestConcurrency } = portal.state().stats;
  expect(highestConcurrency).toBe(2);
  const upserts = [...callsByRoute].filter(([route]) => route.endsWith('/batch/upsert'));
  expect(upserts).toEqual([[expect.any(String), new Map([[200, 2]])]]);
}, 10_000);

test('a first write of what was sent out of its record is an echo: nothing is sent, its record is mapped', async () => {
  portal.reset();
  const [email, name] = ['a@example.com', 'Ada'];
  const inputs = [{ traceId: 't', properties: { email, firstname: name } }];
  const made = await portal.client.batchCreate(portal.access, 'contacts', inputs, { timeoutMs: 5_000 });
  const crmId = made.ok ? made.value.results[0]!.id : '';
  const { writer, active } = portal.writer({ echoes: { kv: createMemoryKeyValue(), windowMs: 60_000 } });
  const unit = (eventId: string): UnitContext =>
    testContext(1n, { binding: portal.binding, echoes: { check: true, suppress: false, sends: true, eventId } });
  const record = { objectType: 'contacts', crmId, properties: { email, firstname: name } };
  await active(() => writer.keepSent(unit('out'), record));
  const upsert = async (eventId: string, firstname: string) => {
    const context = unit(eventId);
    const target = { entity: 'person', externalId: 'P1', identityProperty: 'email', identityValue: email };
    const answer = await active(() =>
      writer.recordsFor(context).upsert({ objectType: 'contacts', ...target, properties: { email, firstname } }));
    return { answer, mapped: context.effects.mappings.map((mapping) => mapping.crmId) };
  };
  const echo = { ok: true, value: { crm_id: crmId, skipped: true, reason: 'echo' } };
  expect(await upsert('in', name)).toMatchObject({ answer: echo, mapped: [crmId] });
  const calls = (route: RegExp): number => [...portal.state().stats.callsByRoute.keys()].filter((one) => route.test(one)).length;
  expect([calls(/batch\/read/), calls(/batch\/(upsert|update)/)]).toEqual([1, 0]);
  expect(await upsert('next', 'Bea')).toMatchObject({ answer: { value: { crm_id: crmId, updated: true } } });
});
