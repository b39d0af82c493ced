import { randomUUID } from 'node:crypto';
import { FunctionPlatformUnavailable } from '@sluice/ports';
import { type Caller, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const good = "exports.handler = async (payload) => { console.log('ran'); return { got: payload, action: payload.action }; };";

/** Pushes code to a plugin. */
const push = (caller: Caller, id: string, bundle: string | null = good, source?: string) => {
  const sent = caller.post(`/api/plugins/${id}/push`);
  if (source !== undefined) void sent.field('source_code', source);
  return bundle === null ? sent : sent.attach('bundle', Buffer.from(bundle), 'bundle.js');
};

async function aPlugin(caller: Caller, body: object = {}): Promise<{ id: string; path: string; name: string }> {
  const name = `plugin ${randomUUID()}`;
  const made = (await caller.post('/api/plugins', { name, ...body }).expect(201)).body;
  return { id: made.id, path: `/api/plugins/${made.id}`, name: made.name };
}

/** A plugin that was pushed and promoted to live. */
async function livePlugin(caller: Caller, body: object = {}, bundle = good) {
  const plugin = await aPlugin(caller, body);
  await push(caller, plugin.id, bundle).expect(202);
  await caller.post(`${plugin.path}/promote`, { target: 'live' }).expect(202);
  await lab.landPlugins();
  return plugin;
}

/** Acts upon plugins in the audit log, oldest first. */
const audits = async (owner: Caller): Promise<string[]> => {
  const { items } = (await owner.get(`/api/orgs/${owner.organizationId}/audit`).expect(200)).body;
  return (items as { action: string }[]).map(({ action }) => action).filter((action) => action.startsWith('plugin.')).reverse();
};

describe('records', () => {
  test('a new plugin is a draft, with every field; it is listed and read', async () => {
    const owner = await lab.owner();
    const capabilities = { http: ['*.shop.example'], store: ['read', 'write'], auth: ['erp'] };
    const made = (await owner.post('/api/plugins', { name: '  Price ', capabilities }).expect(201)).body;
    expect(made).toEqual({
      id: made.id, name: 'Price', status: 'draft', capabilities, staging_version: null, live_version: null, function_arn: null,
      error_message: null, bundle_sha256: null, has_source: false, has_bundle: false, last_deployed_at: null,
      setup_completed_at: null, created_at: made.created_at, updated_at: made.created_at,
    });
    expect((await owner.get(`/api/plugins/${made.id}`).expect(200)).body).toEqual(made);
    expect((await owner.get('/api/plugins').expect(200)).body).toEqual({ items: [made], total: 1 });
    expect((await owner.post('/api/plugins', { name: 'Bare' }).expect(201)).body.capabilities).toEqual({});
  });

  test('a flat list of capabilities is kept as the object; what is none is refused at its place', async () => {
    const owner = await lab.owner();
    const capabilities = ['http:*.shop.example', 'store:read', 'store:write', 'auth:erp'];
    const { path } = await aPlugin(owner, { capabilities });
    expect((await owner.get(path)).body.capabilities).toEqual({
      http: ['*.shop.example'], store: ['read', 'write'], auth: ['erp'],
    });
    const refused: [unknown, (string | number)[]][] = [
      [{ files: ['read'] }, ['files']], [{ http: ['*'] }, ['http', 0]], [{ http: ['https://a.example'] }, ['http', 0]],
      [{ http: ['a.example/path'] }, ['http', 0]], [
        { http: ['a.example', 'a.*'] }, ['http', 1],
      ], [{ store: ['delete'] }, ['store', 0]],
      [['read'], [0]], [['crm:token'], [0]], ['all', []], [{ http: 'a.example' }, ['http']],
    ];
    for (const [given, place] of refused) {
      const { body } = await owner.post('/api/plugins', { name: 'Refused', capabilities: given }).expect(422);
      expect(body.detail).toMatchObject([{ type: 'value_error', loc: ['body', 'capabilities', ...place] }]);
    }
  });

  test('a name is taken once, by names without spaces at their ends, and free again after deletion', async () => {
    const owner = await lab.owner();
    const { path } = await aPlugin(owner, { name: 'Price' });
    expect((await owner.post('/api/plugins', { name: ' Price ' }).expect(409)).body.detail.error).toBe('plugin_name_taken');
    const other = await aPlugin(owner);
    expect((await owner.patch(other.path, { name: 'Price' }).expect(409)).body.detail.error).toBe('plugin_name_taken');
    await owner.delete(path).expect(204);
    expect((await owner.patch(other.path, { name: 'Price' }).expect(200)).body.name).toBe('Price');
    for (const name of ['', '   ', 'x'.repeat(129), 7]) await owner.post('/api/plugins', { name }).expect(422);
    await owner.patch(other.path, {}).expect(422);
    await owner.patch(other.path, { status: 'live' }).expect(422);
  });

  test('changed capabilities are kept without a look at the bundle', async () => {
    const owner = await lab.owner();
    const { id, path } = await aPlugin(owner, { capabilities: ['http:api.example'] });
    await push(owner, id, `${good} const load = () => fetch('https://api.example');`).expect(202);
    expect((await owner.patch(
      path, { capabilities: ['store:read'] },
    ).expect(200)).body.capabilities).toEqual({ store: ['read'] });
    const second = await push(owner, id, `${good} const load = () => fetch('https://api.example');`).expect(422);
    expect(second.body.detail.findings).toMatchObject([{ rule: 'host' }]);
  });

  test('another organization finds nothing', async () => {
    const { id, path } = await livePlugin(await lab.owner());
    const stranger = await lab.owner();
    const body = { connector_id: randomUUID() };
    const calls = [
      stranger.get(path), stranger.patch(path, { name: 'Mine' }), stranger.delete(path), push(stranger, id),
      stranger.post(`${path}/promote`, { target: 'live' }), stranger.post(`${path}/invoke`, {}), stranger.get(`${path}/logs`),
      stranger.get(`${path}/metrics`), stranger.get(`${path}/lifecycle`), stranger.post(`${path}/lifecycle/setup`, body),
      stranger.post(`${path}/lifecycle/teardown`, body), stranger.get(`${path}/source`), stranger.get(`${path}/bundle`),
    ];
    for (const call of calls) expect((await call.expect(404)).body.detail.error).toBe('plugin_not_found');
    await stranger.get('/api/plugins/not-an-id').expect(404);
  });

  test('a plan without plugins: create, push and promote are refused, everything else goes on', async () => {
    const poor = await lab.owner('pro');
    const refused = (await poor.post('/api/plugins', { name: 'Price' }).expect(402)).body.detail;
    expect(refused).toMatchObject({ error: 'plugin_system_not_allowed', tier: 'pro', upgrade_url: 'http://sluice.test/billing' });
    const owner = await lab.owner();
    const { id, path } = await livePlugin(owner);
    await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { tier: 'pro' }).expect(200);
    for (const call of [push(owner, id), owner.post(`${path}/promote`, { target: 'live' })])
      expect((await call.expect(402)).body.detail.error).toBe('plugin_system_not_allowed');
    await owner.post(`${path}/invoke`, { qualifier: 'live' }).expect(200);
    await owner.patch(path, { capabilities: [] }).expect(200);
    for (const part of ['', '/logs', '/metrics', '/lifecycle', '/bundle']) await owner.get(`${path}${part}`).expect(200);
    await owner.delete(path).expect(204);
  });
});

describe('push', () => {
  test('keeps bundle, source and hash, and lands as dev on the caller\'s own function', async () => {
    const owner = await lab.owner();
    const { id, path } = await aPlugin(owner);
    const pushed = (await push(owner, id, good, 'const typed: string = "source";').expect(202)).body;
    expect(pushed).toMatchObject({ status: 'draft', has_source: true, has_bundle: true, function_arn: null });
    expect(pushed.bundle_sha256).toMatch(/^[0-9a-f]{64}$/);
    await lab.landPlugins();
    const landed = (await owner.get(path)).body;
    expect(landed).toMatchObject({ status: 'dev', bundle_sha256: pushed.bundle_sha256, live_version: null, error_message: null });
    expect(landed.function_arn).toContain(`-dev-${owner.userId}`);
    expect(landed.last_deployed_at).not.toBeNull();
  });

  test('needs a form with a bundle', async () => {
    const owner = await lab.owner();
    const { id, path } = await aPlugin(owner);
    expect((await push(owner, id, null, 'source').expect(422)).body.detail).toMatchObject([{ loc: ['body', 'bundle'], type: 'missing' }]);
    await owner.post(`${path}/push`, { bundle: good }).expect(415);
    const binary = owner.post(`${path}/push`).attach('bundle', Buffer.from([0xff, 0xfe, 0x00]), 'bundle.js');
    expect((await binary.expect(422)).body.detail).toMatchObject([{ loc: ['body', 'bundle'] }]);
    expect((await push(owner, id, `${good}\n// ${'x'.repeat(5 * 1024 * 1024)}`).expect(413)).body.detail).toMatchObject({
      error: 'payload_too_large', limit_bytes: 5 * 1024 * 1024,
    });
    await push(owner, id, good, 'x'.repeat(2 * 1024 * 1024 + 1)).expect(413);
    expect((await owner.get(path)).body).toMatchObject({ has_bundle: false, status: 'draft' });
  });

  test('refuses a bundle that cannot run, with every finding; what was there stays', async () => {
    const owner = await lab.owner();
    const { id, path } = await aPlugin(owner);
    const { bundle_sha256: before } = (await push(owner, id).expect(202)).body;
    const bad = "const net = require('net');\nmodule.exports = {};\nfetch('https://evil.example/x');";
    const { detail } = (await push(owner, id, bad).expect(422)).body;
    expect(detail.error).toBe('plugin_capability_violation');
    expect(detail.findings.map(({ rule, line }: { rule: string; line: number }) => [rule, line])).toEqual([
      ['handler', 1], ['require', 1], ['host', 3],
    ]);
    for (const finding of detail.findings)
      expect(finding).toEqual({
        rule: expect.any(String), message: expect.any(String), line: expect.any(Number), excerpt: expect.any(String),
      });
    expect((await owner.get(path)).body.bundle_sha256).toBe(before);
    expect((await owner.get(`${path}/bundle`)).text).toBe(good);
  });

  test('code that fails when it is evaluated ends in error, and the next push heals it', async () => {
    const owner = await lab.owner();
    const { id, path } = await aPlugin(owner);
    await push(owner, id, "exports.handler = 1; throw new Error('not today');").expect(202);
    await lab.landPlugins();
    const failed = (await owner.get(path)).body;
    expect(failed.status).toBe('error');
    expect(failed.error_message).toContain('not today');
    expect(failed.error_message).not.toMatch(/\n|\bat /);
    await push(owner, id).expect(202);
    await lab.landPlugins();
    expect((await owner.get(path)).body).toMatchObject({ status: 'dev', error_message: null });
  });

  test('an organization key pushes to the function of the user who made it', async () => {
    const owner = await lab.owner();
    const { id, path } = await aPlugin(owner);
    const { raw_key: key } = (await owner.post('/api/org-api-keys', { label: 'deploy' }).expect(201)).body;
    await push(lab.as(key) as Caller, id).expect(202);
    await lab.landPlugins();
    expect((await owner.get(path)).body.function_arn).toContain(`-dev-${owner.userId}`);
    await owner.post(`${path}/invoke`, { qualifier: 'dev' }).expect(200);
    await lab.as(key).post(`${path}/invoke`, { qualifier: 'dev' }).expect(200);
  });

  test('source and bundle are for owners and organization keys, and not there before a push', async () => {
    const owner = await lab.owner();
    const { id, path } = await aPlugin(owner);
    for (const part of ['source', 'bundle']) await owner.get(`${path}/${part}`).expect(404);
    await push(owner, id, good, 'the source').expect(202);
    const { raw_key: key } = (await owner.post('/api/org-api-keys', { label: 'read' }).expect(201)).body;
    for (const caller of [owner, lab.as(key)]) {
      expect((await caller.get(`${path}/source`).expect(200)).text).toBe('the source');
      expect((await caller.get(`${path}/bundle`).expect(200)).text).toBe(good);
    }
    const member = await lab.member(owner.organizationId);
    for (const part of ['source', 'bundle'])
      expect((await member.get(`${path}/${part}`).expect(403)).body.detail.error).toBe('owner_required');
    await push(owner, id).expect(202);
    await owner.get(`${path}/source`).expect(404);
  });
});

describe('promote', () => {
  test('needs a push and a target', async () => {
    const owner = await lab.owner();
    const { id, path } = await aPlugin(owner);
    expect((await owner.post(`${path}/promote`, { target: 'live' }).expect(409)).body.detail.error).toBe('plugin_not_pushed');
    await push(owner, id).expect(202);
    for (const body of [{ target: 'dev' }, { target: 'production' }, {}, { target: 'live', version: 3 }])
      await owner.post(`${path}/promote`, body).expect(422);
  });

  test('names the promotion until it lands, as a new version of the shared function', async () => {
    const owner = await lab.owner();
    const { id, path } = await aPlugin(owner);
    await push(owner, id).expect(202);
    expect((await owner.post(`${path}/promote`, { target: 'staging' }).expect(202)).body.status).toBe('promoting_to_staging');
    expect((await owner.get(path)).body).toMatchObject({ status: 'promoting_to_staging', staging_version: null });
    await lab.landPlugins();
    const staging = (await owner.get(path)).body;
    expect(staging).toMatchObject({ status: 'staging', staging_version: 1, live_version: null });
    expect(staging.function_arn).not.toContain('-dev-');
    await owner.post(`${path}/promote`, { target: 'live' }).expect(202);
    await lab.landPlugins();
    expect((await owner.get(path)).body).toMatchObject({ status: 'live', staging_version: 1, live_version: 2 });
    await push(owner, id, `${good} // 2`).expect(202);
    await lab.landPlugins();
    expect((await owner.get(path)).body).toMatchObject({ status: 'dev', staging_version: 1, live_version: 2 });
  });
});

describe('invoke', () => {
  test('gives the handler exactly the payload, and answers what it returned', async () => {
    const owner = await lab.owner();
    const { path } = await livePlugin(owner);
    const payload = { deep: [1, { ä: null }], store_writes: [{ key: 'a', value: 1 }] };
    const { body } = await owner.post(`${path}/invoke`, { payload, qualifier: 'live' }).expect(200);
    expect(body).toEqual({
      output: { got: payload }, version: 1, duration_ms: expect.any(Number), memory_mb: expect.any(Number),
      logs: [{ at: expect.any(String), level: 'info', message: 'ran' }],
    });
    expect((await owner.post(`${path}/invoke`, {}).expect(200)).body).toMatchObject({ output: { got: {} }, version: '$LATEST' });
    await owner.post(`${path}/invoke`, { qualifier: 'production' }).expect(422);
  });

  test('a handler that throws is answered with its message, without a stack', async () => {
    const owner = await lab.owner();
    const { path } = await livePlugin(owner, {}, "exports.handler = async () => { console.error('before'); throw new TypeError('bad'); };");
    const { body } = await owner.post(`${path}/invoke`, { qualifier: 'live' }).expect(200);
    expect(body).toMatchObject({
      error: expect.stringContaining('bad'), logs: [{ level: 'error', message: 'before' }], version: 1,
    });
    expect(body).not.toHaveProperty('output');
    expect(body.error).not.toMatch(/\n|\bat /);
  });

  test('a qualifier without a function is refused; dev is each developer\'s own', async () => {
    const owner = await lab.owner();
    const { id, path } = await aPlugin(owner);
    const refusals = async (caller: Caller) => {
      const codes = [];
      for (const qualifier of ['dev', 'staging', 'live']) {
        const { status, body } = await caller.post(`${path}/invoke`, { qualifier });
        codes.push(status === 409 ? body.detail.error : status);
      }
      return codes;
    };
    const none = 'plugin_not_deployed';
    expect(await refusals(owner)).toEqual([none, none, none]);
    await push(owner, id).expect(202);
    await owner.post(`${path}/promote`, { target: 'staging' }).expect(202);
    await lab.landPlugins();
    expect(await refusals(owner)).toEqual([200, 200, none]);
    expect(await refusals((await lab.member(owner.organizationId)) as unknown as Caller)).toEqual([none, 200, none]);
  });

  test('is answered with 503 while the platform is away', async () => {
    const owner = await lab.owner();
    const { path } = await livePlugin(owner);
    lab.functions.unavailable = new FunctionPlatformUnavailable('away');
    try {
      expect((await owner.post(
        `${path}/invoke`, { qualifier: 'live' },
      ).expect(503)).body.detail.error).toBe('service_unavailable');
    } finally {
      lab.functions.unavailable = null;
    }
  });
});

describe('logs and metrics', () => {
  test('lines newest first, by level and time, page by page', async () => {
    const owner = await lab.owner();
    const { path } = await livePlugin(owner, {}, "exports.handler = async ({ level, text }) => { console[level](text); return {}; };");
    for (const [level, text] of [['log', 'one'], ['warn', 'two'], ['debug', 'three']])
      await owner.post(`${path}/invoke`, { qualifier: 'live', payload: { level, text } }).expect(200);
    const logs = async (query = '') => (await owner.get(`${path}/logs${query}`).expect(200)).body;
    const { items, next_cursor } = await logs();
    expect(items.map(({ message }: { message: string }) => message)).toEqual(['three', 'two', 'one']);
    expect(items[2]).toEqual({
      at: expect.any(String), level: 'info', message: 'one', version: 1, event_id: null, connector_id: null,
    });
    expect(next_cursor).toBeNull();
    expect((await logs('?level=warn')).items).toHaveLength(1);
    expect((await logs(`?since=${encodeURIComponent(items[1].at)}`)).items.length).toBeGreaterThanOrEqual(2);
    const page = await logs('?limit=2');
    expect((await logs(`?limit=2&cursor=${page.next_cursor}`)).items).toEqual([items[2]]);
    for (const query of [
      '?level=fatal', '?since=yesterday', '?cursor=x', '?limit=0',
    ]) await owner.get(`${path}/logs${query}`).expect(422);
  });

  test('counts of runs, and zeros for one that never ran', async () => {
    const owner = await lab.owner();
    const { path } = await livePlugin(owner);
    const metrics = async (range = '') => (await owner.get(`${path}/metrics${range}`).expect(200)).body;
    expect(await metrics()).toEqual({
      invocations: 0, errors: 0, retries: 0, duration_ms: { p50: 0, p95: 0, p99: 0 }, memory_mb: { max: 0 },
    });
    for (const payload of [{}, { action: 'retry' }, null]) await owner.post(
      `${path}/invoke`, { qualifier: 'live', payload },
    ).expect(200);
    for (const range of ['', '?range=24h', '?range=7d', '?range=30d']) {
      const counted = await metrics(range);
      expect(counted).toMatchObject({ invocations: 3, errors: 1, retries: 1 });
      expect(counted.duration_ms.p50).toBeGreaterThan(0);
    }
    await owner.get(`${path}/metrics?range=1y`).expect(422);
  });
});

describe('lifecycle hooks', () => {
  test('a setup is asked for once; a teardown needs one', async () => {
    const owner = await lab.owner();
    const { path, id } = await livePlugin(owner);
    const connector_id = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body.id;
    await owner.post(`${path}/lifecycle/teardown`, { connector_id }).expect(404);
    const hook = (await owner.post(`${path}/lifecycle/setup`, { connector_id }).expect(202)).body;
    expect(hook).toEqual({
      id: hook.id, plugin_id: id, connector_id, hook_type: 'setup', cycle: 1, status: 'pending', invoked_at: null,
      completed_at: null, response: null, error: null,
    });
    expect((await owner.post(`${path}/lifecycle/setup`, { connector_id }).expect(202)).body).toEqual(hook);
    const teardown = (await owner.post(`${path}/lifecycle/teardown`, { connector_id }).expect(202)).body;
    expect(teardown).toMatchObject({ hook_type: 'teardown', cycle: 1, status: 'pending' });
    const listed = (await owner.get(`${path}/lifecycle?connector_id=${connector_id}`).expect(200)).body;
    expect(listed).toEqual({ items: [teardown, hook], total: 2 });
    expect((await owner.get(`${path}/lifecycle`)).body.total).toBe(2);
    expect((await owner.get(`${path}/lifecycle?connector_id=${randomUUID()}`)).body).toEqual({ items: [], total: 0 });
  });

  test('they need a connector, a plugin and a function', async () => {
    const owner = await lab.owner();
    const { path } = await aPlugin(owner);
    const connector_id = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body.id;
    const setup = (body: object) => owner.post(`${path}/lifecycle/setup`, body);
    expect((await setup({ connector_id }).expect(409)).body.detail.error).toBe('plugin_not_deployed');
    expect((await setup({ connector_id: randomUUID() }).expect(404)).body.detail.error).toBe('connector_not_found');
    await owner.post(`${path}/lifecycle/teardown`, { connector_id }).expect(404);
    await setup({}).expect(422);
    const stranger = await lab.owner();
    const foreign = (await stranger.post('/api/connectors', { name: 'Shop' }).expect(201)).body.id;
    await setup({ connector_id: foreign }).expect(404);
  });
});

test('every act leaves an audit entry', async () => {
  const owner = await lab.owner();
  const { id, path } = await aPlugin(owner);
  await owner.patch(path, { name: `renamed ${id}` }).expect(200);
  await push(owner, id).expect(202);
  await owner.post(`${path}/promote`, { target: 'live' }).expect(202);
  await lab.landPlugins();
  const connector_id = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body.id;
  await owner.post(`${path}/lifecycle/setup`, { connector_id }).expect(202);
  await owner.post(`${path}/lifecycle/teardown`, { connector_id }).expect(202);
  await owner.delete(path).expect(204);
  expect(await audits(owner)).toEqual([
    'plugin.create', 'plugin.update', 'plugin.push', 'plugin.promote', 'plugin.setup', 'plugin.teardown', 'plugin.delete',
  ]);
});
