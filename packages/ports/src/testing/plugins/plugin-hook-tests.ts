import { randomUUID } from 'node:crypto';
import type { HookType } from '@sluice/contracts';
import type { HookRow, PluginRow } from '../../config-store';
import { ok } from '../config-store/config-store-lab';
import { type PluginLab, PluginScene } from './plugin-lab';

/** Setup and teardown of plugins on connectors. */
export function pluginHookTests(lab: () => PluginLab): void {
  let scene: PluginScene;
  let plugin: PluginRow;
  let connectorId: string;
  const plugins = () => lab().store.plugins;
  beforeEach(async () => {
    scene = await PluginScene.open(lab());
    plugin = await scene.livePlugin();
    connectorId = await scene.user(plugin);
  });
  const coordinates = () => {
    const { function_arn, version, capabilities } = scene.live(plugin);
    return { function_arn, version, capabilities };
  };
  const ask = (hookType: HookType, over: { pluginId?: string; connectorId?: string } = {}) =>
    plugins().requestHook(
      scene.organizationId, { pluginId: plugin.id, connectorId, hookType, coordinates: coordinates(), ...over },
    );
  const asked = async (hookType: HookType): Promise<HookRow> => ok(await ask(hookType)).hook;
  type End = 'succeeds' | 'fails' | 'fails for good';
  const run = (hookId: string, end: End) => scene.running('plugins.hooks', hookId, async (fence) => {
    const work = await lab().work.beginHook(fence, hookId);
    if (end === 'succeeds') await lab().work.hookSucceeded(fence, hookId, { id: 7 });
    else await lab().work.hookFailed(fence, hookId, 'no answer', end === 'fails for good');
    return work;
  });
  const all = async () => (await plugins().hooks(plugin.id, connectorId)).map(({ hookType, cycle, status }) => [
    hookType, cycle, status,
  ]);

  it('asks for a setup once in its cycle', async () => {
    const first = await asked('setup');
    expect(first).toEqual({
      id: first.id, pluginId: plugin.id, connectorId, hookType: 'setup', cycle: 1, status: 'pending', invokedAt: null,
      completedAt: null, response: null, error: null,
    });
    expect(await asked('setup')).toEqual(first);
    expect(await run(first.id, 'succeeds')).toEqual({
      id: first.id, pluginId: plugin.id, organizationId: scene.organizationId, connectorId, pluginName: plugin.name,
      hookType: 'setup', cycle: 1, coordinates: coordinates(),
    });
    const done = await asked('setup');
    expect(done).toMatchObject({
      id: first.id, status: 'success', response: { id: 7 }, error: null, invokedAt: expect.any(Date),
      completedAt: expect.any(Date),
    });
    expect((await scene.get(plugin.id)).setupCompletedAt).toEqual(done.completedAt);
    expect(await scene.isDue('plugins.hooks', first.id)).toBe(false);
  });

  it('gives one record to two that ask at once', async () => {
    const [one, other] = await Promise.all([asked('setup'), asked('setup')]);
    expect(one.id).toBe(other.id);
  });

  it('counts cycles: a teardown belongs to its setup, the next setup opens another', async () => {
    expect(await ask('teardown')).toEqual({ ok: false, reason: 'no_setup' });
    await run((await asked('setup')).id, 'succeeds');
    await run((await asked('teardown')).id, 'succeeds');
    await asked('setup');
    expect(await all()).toEqual([['setup', 2, 'pending'], ['teardown', 1, 'success'], ['setup', 1, 'success']]);
  });

  it('keeps a failed try pending; the last one ends it, with its plugin in error until one succeeds', async () => {
    const { id } = await asked('setup');
    await scene.running('plugins.hooks', id, async (fence) => {
      await lab().work.beginHook(fence, id);
      await lab().work.hookFailed(fence, id, 'no answer', false);
    });
    expect((await plugins().hooks(plugin.id, null))[0]).toMatchObject({
      status: 'pending', error: 'no answer', completedAt: null,
    });
    expect(await scene.get(plugin.id)).toMatchObject({ status: 'live', errorMessage: null });
    await ask('setup');
    await lab().tasks.wake([{ worker: 'plugins.hooks', key: id }]);
    await run(id, 'fails for good');
    expect((await plugins().hooks(plugin.id, null))[0]).toMatchObject({ status: 'failed', completedAt: expect.any(Date) });
    const { status, errorMessage } = await scene.get(plugin.id);
    expect(status).toBe('error');
    expect(errorMessage).toBe(`The setup hook failed on connector ${connectorId}: no answer`);
    expect(await asked('setup')).toMatchObject({ id, status: 'pending', cycle: 1, error: null, completedAt: null });
    await run(id, 'succeeds');
    expect(await scene.get(plugin.id)).toMatchObject({ status: 'live', errorMessage: null });
  });

  it('runs on the function that serves the connector by then', async () => {
    const { id } = await asked('setup');
    await scene.push(plugin.id, 'second');
    await scene.operate(plugin.id);
    await scene.promote(plugin.id, 'live');
    await scene.operate(plugin.id, 2);
    expect((await run(id, 'succeeds'))?.coordinates).toMatchObject({ version: 2 });
  });

  it('tears a deleted connector down on the function that served it, not on that of its setup', async () => {
    await run((await asked('setup')).id, 'succeeds');
    await scene.push(plugin.id, 'second');
    await scene.operate(plugin.id);
    await scene.promote(plugin.id, 'live');
    await scene.operate(plugin.id, 2);
    await lab().store.connectors.delete(scene.organizationId, connectorId);
    const [teardown] = await plugins().hooks(plugin.id, connectorId);
    expect((await run(teardown!.id, 'succeeds'))?.coordinates).toMatchObject({ version: 2 });
  });

  it('knows neither foreign plugins nor foreign connectors', async () => {
    const foreign = await PluginScene.open(lab());
    const notFound = { ok: false, reason: 'not_found' };
    expect(await ask('setup', { connectorId: await foreign.connector() })).toEqual(notFound);
    expect(await ask('setup', { connectorId: randomUUID() })).toEqual(notFound);
    expect(await ask('setup', { pluginId: (await foreign.plugin()).id })).toEqual(notFound);
    expect(await plugins().hooks('no id', null)).toEqual([]);
    expect(await plugins().hookPage('no id', null, { limit: 1, offset: 0 })).toEqual({ items: [], total: 0 });
  });

  it('lists hooks by the page', async () => {
    const own = await asked('setup');
    const another = ok(await ask('setup', { connectorId: await scene.connector() })).hook;
    const page = (limit: number, offset: number, of: string | null = null) =>
      plugins().hookPage(plugin.id, of, { limit, offset });
    expect(await page(1, 0)).toEqual({ items: [another], total: 2 });
    expect(await page(5, 1)).toEqual({ items: [own], total: 2 });
    expect(await page(5, 0, connectorId)).toEqual({ items: [own], total: 1 });
  });

  it('tears down what is set up when the connector is deleted, and sets nothing up any more', async () => {
    await run((await asked('setup')).id, 'succeeds');
    const other = await scene.livePlugin();
    const setup = ok(await plugins().requestHook(scene.organizationId, {
      pluginId: other.id, connectorId, hookType: 'setup', coordinates: coordinates(),
    })).hook;
    await lab().store.connectors.delete(scene.organizationId, connectorId);
    const [teardown] = await plugins().hooks(plugin.id, connectorId);
    expect(teardown).toMatchObject({ hookType: 'teardown', cycle: 1, status: 'pending' });
    expect(await run(teardown!.id, 'succeeds')).toMatchObject({ hookType: 'teardown', coordinates: coordinates() });
    expect(await scene.running('plugins.hooks', setup.id, (fence) => lab().work.beginHook(fence, setup.id))).toBeNull();
    expect(await plugins().hooks(other.id, connectorId)).toMatchObject([
      { status: 'failed', error: 'The connector was deleted.' },
    ]);
  });

  it('tears down what a setup has set up that was under way when its connector was deleted', async () => {
    const { id } = await asked('setup');
    await scene.running('plugins.hooks', id, async (fence) => {
      await lab().work.beginHook(fence, id);
      await lab().store.connectors.delete(scene.organizationId, connectorId);
      await lab().work.hookSucceeded(fence, id, {});
    });
    expect(await all()).toEqual([['teardown', 1, 'pending'], ['setup', 1, 'success']]);
    const [teardown] = await plugins().hooks(plugin.id, connectorId);
    expect(await run(teardown!.id, 'succeeds')).toMatchObject({ hookType: 'teardown', coordinates: coordinates() });
  });

  it('begins none that has ended, and none of a deleted plugin', async () => {
    const { id } = await asked('setup');
    await scene.publish(connectorId, [], 1);
    const fence = await scene.claim('plugins.hooks', id);
    await plugins().remove(scene.organizationId, plugin.id);
    expect(await lab().work.beginHook(fence, id)).toBeNull();
    await lab().work.hookSucceeded(fence, id, {});
    await lab().work.hookFailed(fence, id, 'late', true);
    expect(await plugins().hooks(plugin.id, null)).toEqual([]);
  });
}
