import type { ConfigDocument, Step } from '@sluice/contracts';
import { contactConfig } from '../../../test-support/contact-config';
import { type Caller, startLab } from '../../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const bundle = 'exports.handler = async () => ({});';
const names = { a: 'price', b: 'tax' };

async function pushed(owner: Caller, name: string, capabilities: unknown = {}) {
  const { id } = (await owner.post('/api/plugins', { name, capabilities }).expect(201)).body;
  await owner.post(`/api/plugins/${id}/push`).attach('bundle', Buffer.from(bundle), 'bundle.js').expect(202);
  await lab.landPlugins();
  return {
    id: id as string, path: `/api/plugins/${id}`,
    promote: async (target: 'staging' | 'live' = 'live') => {
      await owner.post(`/api/plugins/${id}/promote`, { target }).expect(202);
      await lab.landPlugins();
      return (await owner.get(`/api/plugins/${id}`)).body;
    },
  };
}

const withPlugins = (...steps: Partial<Step>[]): ConfigDocument => ({
  ...contactConfig,
  flows: [
    { ...contactConfig.flows[0]!, steps: steps.map((step, index) => ({ id: `p${index}`, action: 'plugin' as const, ...step })) },
  ],
});
const uses = (
  name: string, block: object = {},
): Partial<Step> => ({ plugin: { logical_name: name, config: { rate: 2 }, ...block } });

async function connector(owner: Caller, body: object = {}) {
  const { id } = (await owner.post('/api/connectors', { name: 'Shop', ...body }).expect(201)).body;
  const path = `/api/connectors/${id}`;
  const active = async () => (await owner.get(`${path}/versions/active`).expect(200)).body;
  return {
    id: id as string, path, active,
    draft: (config: ConfigDocument) => owner.put(`${path}/draft`, config).expect(200),
    publish: (given: object = {}) => owner.post(`${path}/publish`, given),
    override: (plugin_overrides: object) => owner.patch(path, { settings: { plugin_overrides } }),
    blocks: async () => (await active()).config.flows[0].steps.map(({ plugin }: Step) => plugin),
    codes: async () => {
      const { errors } = (await owner.get(`${path}/preflight`).expect(200)).body;
      return (errors as { code: string }[]).map(({ code }) => code);
    },
    resolved: async () => ((await owner.get(`${path}/preview`).expect(200)).body.resolved_changes as { type: string }[])
      .map(({ type }) => type).filter((type) => type.startsWith('plugin')),
  };
}

test('a live connector runs what was promoted to live; the draft and its version stay as they were written', async () => {
  const owner = await lab.owner();
  const plugin = await pushed(owner, names.a, { store: ['read'] });
  const { path, draft, publish, blocks, active } = await connector(owner);
  const config = withPlugins(uses(names.a), { logical_name: names.a, config: { short: true } });
  await draft(config);
  const refused = (await publish().expect(422)).body.detail;
  expect(refused).toMatchObject([
    { type: 'plugin_unresolvable', loc: ['body', 'flows', 0, 'steps', 0, 'plugin', 'logical_name'] },
    { type: 'plugin_unresolvable', loc: ['body', 'flows', 0, 'steps', 1, 'logical_name'] },
  ]);
  const { function_arn, live_version } = await plugin.promote();
  await publish().expect(200);
  const block = { logical_name: names.a, function_arn, version: live_version, capabilities: { store: ['read'] } };
  expect(await blocks()).toEqual([{ ...block, config: { rate: 2 } }, { ...block, config: { short: true } }]);
  expect((await owner.get(`${path}/draft`)).body).toMatchObject({ config, has_changes: false });
  expect((await publish().expect(200)).body.no_changes).toBe(true);
  await owner.post(`${path}/versions/1/restore`, {}).expect(200);
  expect((await owner.get(`${path}/draft`)).body.config).toEqual(config);
  expect((await active()).version).toBe(1);
});

test('coordinates that were written into a draft by hand do not count', async () => {
  const owner = await lab.owner();
  const plugin = await pushed(owner, names.a);
  const { function_arn } = await plugin.promote();
  const { path, draft, publish, blocks } = await connector(owner);
  const forged = { function_arn: 'arn:sluice:local:function:other', version: 9, capabilities: { http: ['evil.example'] } };
  await draft(withPlugins(uses(names.a, forged)));
  await publish().expect(200);
  const [block] = await blocks();
  expect(block).toEqual({ logical_name: names.a, function_arn, version: 1, capabilities: {}, config: { rate: 2 } });
  const authored = Object.keys(uses(names.a).plugin as object);
  const { plugin_embedded_fields: embedded } = (await owner.get('/api/config-surface').expect(200)).body;
  expect(Object.keys(block).filter((field) => !authored.includes(field))).toEqual(embedded);
  expect((await owner.get(`${path}/draft`)).body.has_changes).toBe(false);
  await draft((await owner.get(`${path}/versions/active`)).body.config);
  expect((await owner.get(`${path}/draft`)).body.has_changes).toBe(false);
  expect((await owner.get(`${path}/preview`)).body).toMatchObject({ has_changes: false, changes: [] });
});

test('a promotion reaches active versions in place, an older version stays', async () => {
  const owner = await lab.owner();
  const plugin = await pushed(owner, names.a);
  await plugin.promote();
  const { id, draft, publish, blocks, active } = await connector(owner);
  await draft(withPlugins(uses(names.a)));
  await publish().expect(200);
  await owner.patch(plugin.path, { capabilities: ['auth:erp'] }).expect(200);
  expect((await blocks())[0]).toMatchObject({ version: 1, capabilities: {} });
  await plugin.promote('staging');
  expect((await blocks())[0]).toMatchObject({ version: 1, capabilities: { auth: ['erp'] } });
  await plugin.promote('live');
  expect((await blocks())[0]).toMatchObject({ version: 3, capabilities: { auth: ['erp'] } });
  expect((await active()).version).toBe(1);
  expect((await owner.get(`/api/plugins/${plugin.id}/lifecycle?connector_id=${id}`)).body.items).toMatchObject([
    { hook_type: 'setup', status: 'pending', cycle: 1 },
  ]);
});

test('a test connector runs its creator\'s own function', async () => {
  const owner = await lab.owner();
  const { draft, publish, blocks, codes } = await connector(owner, { mode: 'test' });
  await owner.post('/api/plugins', { name: names.b }).expect(201);
  await draft(withPlugins(uses(names.b)));
  expect(await codes()).toContain('plugin_unresolvable');
  await publish().expect(422);
  await pushed(owner, names.a);
  await draft(withPlugins(uses(names.a)));
  expect(await codes()).not.toContain('plugin_unresolvable');
  await publish().expect(200);
  const [block] = await blocks();
  expect(block).toMatchObject({ version: '$LATEST' });
  expect(block.function_arn).toContain(`-dev-${owner.userId}`);
});

test('overrides win with the next publish, and preview tells what that would change', async () => {
  const owner = await lab.owner();
  const plugin = await pushed(owner, names.a);
  const { function_arn: shared } = await plugin.promote();
  await plugin.promote();
  const { draft, publish, override, blocks, resolved } = await connector(owner);
  await draft(withPlugins(uses(names.a)));
  await publish().expect(200);
  expect([(await blocks())[0].version, await resolved()]).toEqual([2, []]);
  await override({ [names.a]: { version: 1 } }).expect(200);
  expect([(await blocks())[0].version, await resolved()]).toEqual([2, ['plugin_version_changed']]);
  expect((await publish().expect(200)).body.no_changes).toBe(true);
  await publish({ force: true }).expect(200);
  expect((await blocks())[0]).toMatchObject({ version: 1, function_arn: shared });
  await plugin.promote();
  expect((await blocks())[0].version).toBe(1);
  const own = `${shared}-dev-${owner.userId}`;
  await override({ [names.a]: { function_arn: own, version: '$LATEST' } }).expect(200);
  await publish({ force: true }).expect(200);
  expect((await blocks())[0]).toMatchObject({ version: '$LATEST', function_arn: own });
  await override({}).expect(200);
  await publish({ force: true }).expect(200);
  expect((await blocks())[0]).toMatchObject({ version: 3, function_arn: shared });
});

test('overrides: unknown keys, functions of others and versions that are not there are refused', async () => {
  const stranger = await lab.owner();
  const { function_arn: foreign } = await (await pushed(stranger, names.a)).promote();
  const owner = await lab.owner();
  await (await pushed(owner, names.a)).promote();
  const { draft, publish, override, codes } = await connector(owner);
  for (const entry of [{}, { version: 0 }, { version: 'latest' }, { version: 1, qualifier: 'live' }, 1])
    await override({ [names.a]: entry }).expect(422);
  expect((await override({ [names.a]: { function_arn: foreign, version: 1 } }).expect(422)).body.detail).toMatchObject([
    { loc: ['body', 'settings', 'plugin_overrides', names.a, 'function_arn'] },
  ]);
  await override({ [names.a]: { version: 7 } }).expect(200);
  await draft(withPlugins(uses(names.a)));
  expect(await codes()).toContain('plugin_unresolvable');
  expect((await publish().expect(422)).body.detail).toMatchObject([{ type: 'plugin_unresolvable' }]);
});

test('a plugin in use is not deleted; drafts do not keep it', async () => {
  const owner = await lab.owner();
  const plugin = await pushed(owner, names.a);
  await plugin.promote();
  const { id, path, draft, publish } = await connector(owner);
  await draft(withPlugins(uses(names.a)));
  await publish().expect(200);
  const { detail } = (await owner.delete(plugin.path).expect(409)).body;
  expect(detail).toMatchObject({ error: 'plugin_in_use', connectors: [{ id, name: 'Shop' }] });
  await draft(contactConfig);
  await owner.delete(plugin.path).expect(409);
  await owner.delete(`${path}`).expect(204);
  await owner.delete(plugin.path).expect(204);
  const other = await connector(owner);
  await other.draft(withPlugins(uses(names.a)));
  expect((await other.publish().expect(422)).body.detail).toMatchObject([{ type: 'unknown_plugin' }]);
});

test('a promotion while a config is published: the version has what is live when it is stored', async () => {
  const owner = await lab.owner();
  const plugin = await pushed(owner, names.a);
  await plugin.promote();
  const { draft, publish, blocks } = await connector(owner);
  await draft(withPlugins(uses(names.a)));
  const [published] = await Promise.all([publish(), plugin.promote()]);
  expect(published.status).toBe(200);
  expect((await blocks())[0].version).toBe(2);
});

test('after a move to a plan without plugins those of the active version go on and are edited; no other is added', async () => {
  const owner = await lab.owner();
  for (const name of [names.a, names.b]) await (await pushed(owner, name)).promote();
  const { path, draft, publish, codes } = await connector(owner);
  await draft(withPlugins(uses(names.a)));
  await publish().expect(200);
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { tier: 'pro' }).expect(200);
  const edited = withPlugins(uses(names.a), { ...uses(names.a), when: { exists: '$.payload.email' } });
  await draft(edited);
  expect(await codes()).not.toContain('plugin_step_tier_not_allowed');
  const { warnings } = (await owner.get(`${path}/preflight`).expect(200)).body;
  expect((warnings as { code: string }[]).filter(({ code }) => code === 'plugin_step_tier_not_allowed')).toHaveLength(2);
  expect((await publish().expect(200)).body.version).toBe(2);
  expect((await publish({ force: true }).expect(200)).body).toMatchObject({ version: 3, change_summary: 'Forced republish' });
  await draft(withPlugins(uses(names.a), uses(names.b)));
  expect(await codes()).toContain('plugin_step_tier_not_allowed');
  expect((await publish().expect(402)).body.detail).toMatchObject({ error: 'plugin_system_not_allowed', tier: 'pro' });
});
