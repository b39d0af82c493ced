import { randomUUID } from 'node:crypto';
import type { Caller } from '../../test-support/lab';
import { lab, shareLab } from '../../test-support/shared-lab';
import { aPlugin, audits, good, livePlugin, push } from './test-support/plugin-lab';
import { pluginRunTests } from './test-support/plugin-run-tests';

shareLab();

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
    expect((await push(owner, id, null, 'source').expect(422)).body.detail).toMatchObject([{ loc: ['body', 'bundle'],
      type: 'missing' }]);
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

pluginRunTests();
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
