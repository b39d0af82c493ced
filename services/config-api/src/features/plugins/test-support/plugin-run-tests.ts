import { randomUUID } from 'node:crypto';
import { FunctionPlatformUnavailable } from '@sluice/ports';
import type { Caller } from '../../../test-support/lab';
import { lab } from '../../../test-support/shared-lab';
import { aPlugin, livePlugin, push } from './plugin-lab';

/** Plugins that run: by hand, as lifecycle hooks, and what their logs and metrics show. */
export function pluginRunTests(): void {
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
      expect((await owner.post(`${path}/invoke`, {}).expect(200)).body).toMatchObject({ output: { got: {} },
        version: '$LATEST' });
      await owner.post(`${path}/invoke`, { qualifier: 'production' }).expect(422);
    });

    test('a handler that throws is answered with its message, without a stack', async () => {
      const owner = await lab.owner();
      const { path } = await livePlugin(owner, {},
        "exports.handler = async () => { console.error('before'); throw new TypeError('bad'); };");
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
      const { path } = await livePlugin(owner, {},
        "exports.handler = async ({ level, text }) => { console[level](text); return {}; };");
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
      expect((await owner.get(`${path}/lifecycle?limit=1&offset=1`).expect(200)).body).toEqual({ items: [hook], total: 2 });
      expect((await owner.get(`${path}/lifecycle?connector_id=${randomUUID()}`)).body).toEqual({ items: [], total: 0 });
    });

    test('they need a connector, a plugin and a function', async () => {
      const owner = await lab.owner();
      const { path } = await aPlugin(owner);
      const connector_id = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body.id;
      const setup = (body: object) => owner.post(`${path}/lifecycle/setup`, body);
      expect((await setup({ connector_id }).expect(409)).body.detail.error).toBe('plugin_not_deployed');
      for (const unknown of [randomUUID(), 'nonsense'])
        expect((await setup({ connector_id: unknown }).expect(404)).body.detail.error).toBe('connector_not_found');
      await owner.post(`${path}/lifecycle/teardown`, { connector_id }).expect(404);
      await setup({}).expect(422);
      const stranger = await lab.owner();
      const foreign = (await stranger.post('/api/connectors', { name: 'Shop' }).expect(201)).body.id;
      await setup({ connector_id: foreign }).expect(404);
    });
  });
}
