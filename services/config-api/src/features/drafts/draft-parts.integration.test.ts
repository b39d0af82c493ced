import type { ConfigDocument } from '@sluice/contracts';
import { contactConfig } from '../../test-support/contact-config';
import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

async function start(config: ConfigDocument = contactConfig) {
  const owner = await lab.owner();
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body as { id: string };
  const path = `/api/connectors/${id}`;
  const draft = `${path}/draft`;
  await owner.put(draft, config).expect(200);
  return { owner, path, draft, publish: `${path}/publish` };
}
const { name: _customer, ...customer } = contactConfig.entities[0]!;
const { name: _customers, ...customers } = contactConfig.flows[0]!;
const order = { schemas: { crm: { object_type: 'deals', identity: { property: 'order_no' } } } };

test('an entity is put by its name, replaced where it stands, and removed', async () => {
  const { owner, draft } = await start();
  const put = (await owner.put(`${draft}/entities/the%20order`, order).expect(200)).body;
  expect(put).toMatchObject({ draft_version: 3, has_changes: true, updated_by: owner.userId, direction: 'inbound' });
  expect(put.config.entities).toEqual([{ name: 'customer', ...customer }, { name: 'the order', ...order }]);
  expect((await owner.get(draft)).body).toEqual(put);
  const changed = { ...customer, on_target_deleted: 'recreate' };
  const replaced = (await owner.put(`${draft}/entities/customer`, { name: 'customer', ...changed }).expect(200)).body;
  expect(replaced.config.entities).toEqual([{ name: 'customer', ...changed }, { name: 'the order', ...order }]);
  const removed = (await owner.delete(`${draft}/entities/customer`).expect(200)).body;
  expect(removed.config.entities).toEqual([{ name: 'the order', ...order }]);
  expect((await owner.delete(`${draft}/entities/customer`).expect(404)).body).toEqual({ detail: 'Not Found' });
});

test('a flow is put by its name, replaced where it stands, and removed', async () => {
  const { owner, draft } = await start();
  const more = { source: 'event_api', event_type: 'order.placed', steps: [], note: 'kept' };
  const put = (await owner.put(`${draft}/flows/orders`, more).expect(200)).body;
  expect(put.config.flows).toEqual([{ name: 'customers', ...customers }, { name: 'orders', ...more }]);
  const replaced = (await owner.put(`${draft}/flows/customers`, { ...customers, enabled: false }).expect(200)).body;
  expect(replaced.config.flows.map(({ name, enabled }: Record<string, unknown>) => [name, enabled])).toEqual([
    ['customers', false],
    ['orders', undefined],
  ]);
  expect(Object.keys((await owner.delete(`${draft}/flows/customers`).expect(200)).body.flow_directions)).toEqual(['orders']);
  await owner.delete(`${draft}/flows/customers`).expect(404);
});

test('settings are merged, and null removes', async () => {
  const { owner, draft } = await start({ ...contactConfig, settings: { a: { b: 1, c: 2 }, d: 1 } });
  const patched = (await owner.patch(`${draft}/settings`, { a: { c: null }, d: null, e: [1] }).expect(200)).body;
  expect(patched.config).toEqual({ ...contactConfig, settings: { a: { b: 1 }, e: [1] } });
});

test('an entity goes back to how it was published: changed, removed, or new', async () => {
  const { owner, draft, publish } = await start({
    ...contactConfig, entities: [...contactConfig.entities, { name: 'order', ...order }], flows: [],
  });
  await owner.post(publish).expect(200);
  const discard = (name: string, body?: object) => owner.post(`${draft}/entities/${name}/discard`, body);
  await owner.put(`${draft}/entities/customer`, order).expect(200);
  await owner.put(`${draft}/entities/extra`, { schemas: { crm: { object_type: 'companies' } } }).expect(200);
  expect((await discard('customer').expect(200)).body.config.entities[0]).toEqual({ name: 'customer', ...customer });
  await owner.delete(`${draft}/entities/customer`).expect(200);
  const back = (await discard('customer').expect(200)).body;
  expect(back.config.entities.map(({ name }: { name: string }) => name)).toEqual(['customer', 'order', 'extra']);
  expect((await discard('extra').expect(200)).body).toMatchObject({ has_changes: false });
  await discard('extra').expect(404);
  await discard('order', { expected_version: 1 }).expect(409);
  await discard('order', { unknown: 1 }).expect(422);
});

test('a problem has its `loc` in the body; one elsewhere in the document has a `loc` that starts with the path', async () => {
  const { owner, draft } = await start();
  const loc = async (call: PromiseLike<{ status: number; body: any }>) => {
    const { status, body } = await call;
    return [status, ...body.detail.map((entry: { type: string; loc: unknown[] }) => `${entry.type} ${entry.loc.join('.')}`)];
  };
  expect(await loc(owner.put(`${draft}/entities/order`, { schemas: {}, more: 1 }))).toEqual([
    422, 'extra_forbidden body.more', 'value_error body.schemas',
  ]);
  expect(await loc(owner.put(`${draft}/entities/order`, { ...order, name: 'other' }))).toEqual([422, 'value_error body.name']);
  expect(await loc(owner.put(`${draft}/flows/orders`, { ...customers, steps: [{ id: 's', action: 'fly' }] }))).toEqual(
    expect.arrayContaining([422, 'duplicate_flow_event body.event_type']),
  );
  const polluted = owner.patch(`${draft}/settings`).set('content-type', 'application/json').send('{"a":{"__proto__":{}}}');
  expect(await loc(polluted)).toEqual([422, 'reserved_name body.a.__proto__']);
  expect(await loc(owner.put(`${draft}/flows/orders`, { ...customers, expected_version: 'x' }))).toEqual([
    422, expect.stringMatching(/body\.expected_version$/),
  ]);
  const taken = { source: 'event_api', event_type: 'x', steps: [] };
  await owner.put(`${draft}/flows/other`, taken).expect(200);
  expect(await loc(owner.put(`${draft}/flows/customers`, { ...customers, event_type: 'x' }))).toEqual([
    422, 'duplicate_flow_event path.name.flows.1.event_type',
  ]);
  expect((await owner.get(draft)).body.draft_version).toBe(3);
});

test('expected_version is compared, on every write that has a body', async () => {
  const { owner, draft, path, publish } = await start();
  await owner.post(publish).expect(200);
  const conflict = { detail: { code: 'draft_version_conflict', expected_version: 7, draft_version: 2 } };
  const old = { expected_version: 7 };
  const writes = [
    owner.put(draft, { ...contactConfig, ...old }), owner.patch(draft, old), owner.post(`${draft}/reset`, old),
    owner.put(`${draft}/entities/customer`, { ...customer, ...old }),
    owner.put(`${draft}/flows/customers`, { ...customers, ...old }),
    owner.patch(`${draft}/settings`, old), owner.post(`${draft}/entities/customer/discard`, old),
    owner.post(`${path}/versions/1/restore`, old),
  ];
  for (const { status, body } of await Promise.all(writes)) expect([status, body]).toEqual([409, conflict]);
  const put = (await owner.put(`${draft}/entities/customer`, { ...customer, expected_version: 2 }).expect(200)).body;
  expect([put.draft_version, put.config]).toEqual([3, contactConfig]);
});

test('the draft has the findings of preflight about the document', async () => {
  const { owner, draft, publish } = await start({
    ...contactConfig,
    flows: [
      { ...contactConfig.flows[0]!, supress_echo: true, steps: [{ id: 's', action: 'skip', resaon: 'x' }] },
      { name: 'all', source: 'event_api', event_type: '*.done', steps: [] },
      { name: 'wide', source: 'event_api', event_type: 'order.*', steps: [] },
      { name: 'narrow', source: 'event_api', event_type: 'order.paid.*', steps: [] },
    ],
  });
  const codes = (warnings: { code: string; event_flow: string }[]) => warnings.map(({ code, event_flow }) => [code, event_flow]);
  const expected = [
    ['unknown_flow_keys', 'customers'], ['unsupported_event_type_wildcard', 'all'],
    ['overlapping_event_type_wildcards', 'narrow'], ['unknown_step_key', 'customers'],
  ];
  const { warnings } = (await owner.get(draft).expect(200)).body;
  expect(codes(warnings)).toEqual(expected);
  expect(warnings[0]).toMatchObject({ severity: 'warning', field: 'flows.0', entity: null, reauthorize_scopes: null });
  expect(codes((await owner.post(publish).expect(200)).body.warnings)).toEqual(expect.arrayContaining(expected));
  expect((await owner.put(draft, contactConfig).expect(200)).body.warnings).toEqual([]);
});

test('directions follow from the sources: events of the change journal go out', async () => {
  const flow = (name: string, source: string) => ({ name, source, event_type: `${name}.x`, steps: [] });
  const { owner, draft } = await start({ ...contactConfig, sources: [{ name: 'journal', type: 'crm' }], flows: [] });
  const directions = async (...flows: object[]) => {
    const { direction, flow_directions } = (await owner.patch(draft, { flows }).expect(200)).body;
    return [direction, flow_directions];
  };
  expect(await directions()).toEqual([null, {}]);
  expect(await directions(flow('out', 'journal'))).toEqual(['outbound', { out: 'outbound' }]);
  expect(await directions(flow('out', 'journal'), flow('in', 'event_api'), flow('lost', 'nowhere'))).toEqual([
    'bidirectional', { out: 'outbound', in: 'inbound', lost: null },
  ]);
});

test('a config key is no wrapper; the older key patch is one, also beside expected_version', async () => {
  const { owner, draft } = await start();
  expect((await owner.patch(draft, { config: { settings: {} } }).expect(422)).body.detail).toMatchObject([
    { loc: ['body', 'config'], msg: 'unknown top-level config key(s): config' },
  ]);
  const patched = await owner.patch(draft, { patch: { settings: { a: 1 } }, expected_version: 2 }).expect(200);
  expect(patched.body.config.settings).toEqual({ a: 1 });
  await owner.patch(draft, { patch: { settings: { a: 2 } }, expected_version: 2 }).expect(409);
  expect((await owner.patch(draft, { patch: { settings: {} }, settings: {} }).expect(422)).body.detail).toMatchObject([
    { loc: ['body', 'patch'] },
  ]);
});

test('100 writers at once, on two instances: every write is in the draft, and each counts', async () => {
  const { owner, draft } = await start();
  const other = await startLab(lab.secrets, lab.database);
  try {
    const second = other.as(owner.token);
    const callerOf = (index: number) => (index % 2 === 0 ? owner : second);
    const conditional = async (index: number): Promise<void> => {
      let expected_version = (await callerOf(index).get(draft).expect(200)).body.draft_version;
      for (;;) {
        const { status, body } = await callerOf(index).patch(`${draft}/settings`, { [`n${index}`]: index, expected_version });
        if (status === 200) return;
        expect(status).toBe(409);
        expected_version = body.detail.draft_version;
      }
    };
    const free = async (index: number): Promise<void> => {
      const caller = callerOf(index);
      const writes = [
        () => caller.put(`${draft}/entities/e${index}`, { schemas: { crm: { object_type: 'contacts' } } }),
        () => caller.put(`${draft}/flows/f${index}`, { source: 'event_api', event_type: `t${index}`, steps: [] }),
        () => caller.patch(`${draft}/settings`, { [`free${index}`]: index }),
        () => caller.patch(draft, { settings: { [`whole${index}`]: index } }),
      ];
      await writes[index % writes.length]!().expect(200);
    };
    const fifty = Array.from({ length: 50 }, (_, index) => index);
    await Promise.all([...fifty.map(conditional), ...fifty.map(free)]);
    const { draft_version, config } = (await owner.get(draft).expect(200)).body;
    expect(draft_version).toBe(2 + 100);
    const names = [
      ...config.entities.map(({ name }: { name: string }) => name), ...config.flows.map(({ name }: { name: string }) => name),
      ...Object.keys(config.settings),
    ];
    const kinds = ['e', 'f', 'free', 'whole'];
    const written = fifty.flatMap((index) => [`n${index}`, `${kinds[index % 4]}${index}`]);
    expect(names.sort()).toEqual(['customer', 'customers', ...written].sort());
  } finally {
    await other.stop();
  }
}, 240_000);
