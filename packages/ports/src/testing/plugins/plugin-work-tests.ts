import { FenceLost } from '../../tasks/task-store';
import { createFeed } from '../config-store/config-store-lab';
import { aPush, type PluginLab, PluginScene } from './plugin-lab';

/** Operations of plugins, step by step. */
export function pluginWorkTests(lab: () => PluginLab): void {
  let scene: PluginScene;
  const work = () => lab().work;
  beforeEach(async () => {
    scene = await PluginScene.open(lab());
  });

  it('hands operations out in the order of asking, with their code', async () => {
    const { id, name } = await scene.plugin();
    expect(await work().nextOperation(id)).toBeNull();
    await scene.push(id, 'first');
    await scene.promote(id, 'staging');
    await scene.push(id, 'second');
    const { sha256 } = aPush('first');
    expect(await work().nextOperation(id)).toEqual({
      id: expect.any(String), pluginId: id, organizationId: scene.organizationId, name, sha256, tries: 0, dueInMs: 0,
      version: null,
      what: { kind: 'deploy', developerId: 'dev-1' },
    });
    expect(await work().bundle(id, sha256)).toBe('first');
    await scene.operate(id);
    expect(await scene.get(id)).toMatchObject({
      status: 'promoting_to_staging', functionArn: scene.functionOf(id, 'dev-1').functionArn, lastDeployedAt: expect.any(Date),
    });
    await lab().tasks.wake([{ worker: 'plugins.operations', key: id }]);
    expect((await scene.operate(id, 4)).what).toEqual({ kind: 'promote', target: 'staging' });
    expect(await scene.get(id)).toMatchObject({
      status: 'staging', stagingVersion: 4, liveVersion: null, functionArn: scene.functionOf(id).functionArn,
    });
    expect(await work().bundle(id, sha256)).toBeNull();
    await lab().tasks.wake([{ worker: 'plugins.operations', key: id }]);
    await scene.operate(id);
    expect(await scene.get(id)).toMatchObject({ status: 'dev', stagingVersion: 4 });
    expect(await work().nextOperation(id)).toBeNull();
    expect(await lab().store.plugins.bundle(scene.organizationId, id)).toBe('second');
  });

  it('replaces an operation that waits behind the first by the same one asked for later', async () => {
    const { id } = await scene.plugin();
    for (const bundle of ['a', 'b', 'c']) await scene.push(id, bundle);
    await scene.push(id, 'other', { developerId: 'dev-2' });
    const done = [];
    while (await work().nextOperation(id)) {
      await lab().tasks.wake([{ worker: 'plugins.operations', key: id }]);
      done.push((await scene.operate(id)).sha256);
    }
    expect(done).toEqual(['a', 'c', 'other'].map((bundle) => aPush(bundle).sha256));
  });

  it('postpones an operation, and counts its tries', async () => {
    const { id } = await scene.plugin();
    await scene.push(id, 'first');
    await scene.running('plugins.operations', id, async (fence) => {
      await work().postpone(fence, (await work().nextOperation(id))!.id, 60_000);
    });
    const later = (await work().nextOperation(id))!;
    expect(later.tries).toBe(1);
    expect(later.dueInMs).toBeGreaterThan(50_000);
    expect(later.dueInMs).toBeLessThanOrEqual(60_000);
  });

  it('names what has failed, until an operation succeeds', async () => {
    const { id } = await scene.plugin();
    await scene.push(id, 'first');
    await scene.running('plugins.operations', id, async (fence) => {
      await work().failed(fence, (await work().nextOperation(id))!, 'The deployment failed.');
    });
    expect(await scene.get(id)).toMatchObject({ status: 'error', errorMessage: 'The deployment failed.' });
    expect(await work().nextOperation(id)).toBeNull();
    await scene.push(id, 'second');
    expect(await scene.get(id)).toMatchObject({ status: 'error' });
    await scene.operate(id);
    expect(await scene.get(id)).toMatchObject({ status: 'dev', errorMessage: null });
  });

  it('goes on with a promotion whose version was published before', async () => {
    const { id } = await scene.plugin();
    await scene.push(id, 'first');
    await scene.operate(id);
    await scene.promote(id, 'live');
    await scene.running('plugins.operations', id, async (fence) => {
      const { functionArn } = scene.functionOf(id);
      await work().published(fence, (await work().nextOperation(id))!, { version: 3, functionArn });
    });
    expect(await scene.get(id)).toMatchObject({ status: 'promoting_to_live', liveVersion: 3 });
    expect(await work().nextOperation(id)).toMatchObject({ version: 3 });
  });

  it('refuses every write of a run that has lost its task', async () => {
    const plugin = await scene.livePlugin();
    const connectorId = await scene.user(plugin);
    await scene.push(plugin.id, 'second');
    const operation = (await work().nextOperation(plugin.id))!;
    const fence = await scene.claim('plugins.operations', plugin.id);
    await lab().tasks.release([fence]);
    const { functionArn } = scene.functionOf(plugin.id);
    const writes = [
      () => work().noteFunction(fence, scene.functionOf(plugin.id)), () => work().postpone(fence, operation.id, 0),
      () => work().deployed(fence, operation, functionArn), () => work().published(fence, operation, { version: 9, functionArn }),
      () => work().rollOut(fence, plugin.id, connectorId), () => work().promoted(fence, operation, functionArn),
      () => work().failed(fence, operation, 'no'), () => work().beginHook(fence, 'x'),
      () => work().hookSucceeded(fence, 'x', {}), () => work().hookFailed(fence, 'x', 'no', true),
      () => work().forgetFunction(fence, functionArn),
    ];
    for (const write of writes) await expect(write()).rejects.toThrow(FenceLost);
    expect(await scene.get(plugin.id)).toMatchObject({ status: 'live', liveVersion: 1 });
    expect(await work().nextOperation(plugin.id)).toEqual(operation);
  });

  describe('rolling out', () => {
    it('finds the connectors whose active version uses the plugin, page by page', async () => {
      const plugin = await scene.livePlugin();
      const users = [await scene.user(plugin), await scene.user(plugin), await scene.user(plugin)].sort();
      const left = await scene.user(plugin);
      await scene.publish(left, [], 1);
      const deleted = await scene.user(plugin);
      await lab().store.connectors.delete(scene.organizationId, deleted);
      expect(await work().usersOf(plugin.id, null, 2)).toEqual(users.slice(0, 2));
      expect(await work().usersOf(plugin.id, users[1]!, 2)).toEqual(users.slice(2));
    });

    it('puts the live version and the grants into the active version, tells of it and sets up', async () => {
      const plugin = await scene.livePlugin();
      const connectorId = await scene.user(plugin);
      const feed = createFeed(lab() as never);
      await feed.of(connectorId);
      await lab().store.plugins.update(scene.organizationId, plugin.id, { capabilities: { auth: ['shop'] } });
      await scene.promote(plugin.id, 'live');
      await scene.operate(plugin.id, 2);
      expect(await lab().store.plugins.versionPlugins(connectorId, 1)).toEqual([
        scene.live(plugin, { version: 2, capabilities: { auth: ['shop'] } }),
      ]);
      expect(await feed.of(connectorId)).toMatchObject([{ active_version: 1, plugins_revision: 1 }]);
      expect(await lab().store.plugins.hooks(plugin.id, connectorId)).toMatchObject([{ hookType: 'setup', cycle: 1,
        status: 'pending' }]);
      await scene.promote(plugin.id, 'live');
      await scene.operate(plugin.id, 2);
      expect(await feed.of(connectorId)).toEqual([]);
      expect(await lab().store.plugins.hooks(plugin.id, connectorId)).toHaveLength(1);
    });

    it('leaves the function of an override and of a developer as it is, and older versions', async () => {
      const plugin = await scene.livePlugin();
      const override = await scene.user(plugin, { origin: 'override', version: '$LATEST' });
      const latest = await scene.user(plugin, { origin: 'latest', version: '$LATEST' });
      const older = await scene.user(plugin);
      await scene.publish(older, [scene.live(plugin)], 1);
      await scene.promote(plugin.id, 'live');
      await scene.operate(plugin.id, 2);
      const versionOf = async (connectorId: string, version = 1) =>
        (await lab().store.plugins.versionPlugins(connectorId, version)).map(({ version: number }) => number);
      expect(await Promise.all([versionOf(override), versionOf(latest), versionOf(older), versionOf(older, 2)]))
        .toEqual([['$LATEST'], ['$LATEST'], [1], [2]]);
    });

    it('leaves live versions alone when staging is promoted', async () => {
      const plugin = await scene.livePlugin();
      const connectorId = await scene.user(plugin);
      await scene.promote(plugin.id, 'staging');
      await scene.operate(plugin.id, 2);
      expect(await scene.get(plugin.id)).toMatchObject({ status: 'staging', stagingVersion: 2, liveVersion: 1 });
      expect(await lab().store.plugins.versionPlugins(connectorId, 1)).toMatchObject([{ version: 1 }]);
    });

    it('does nothing on a connector that uses the plugin no more', async () => {
      const plugin = await scene.livePlugin();
      const connectorId = await scene.user(plugin);
      await scene.publish(connectorId, [], 1);
      await scene.promote(plugin.id, 'live');
      const fence = await scene.claim('plugins.operations', plugin.id);
      await work().rollOut(fence, plugin.id, connectorId);
      expect(await lab().store.plugins.hooks(plugin.id, connectorId)).toEqual([]);
    });
  });

  it('ends nothing of a deleted plugin, and removes its functions', async () => {
    const plugin = await scene.livePlugin();
    await scene.promote(plugin.id, 'live');
    const fence = await scene.claim('plugins.operations', plugin.id);
    const operation = (await work().nextOperation(plugin.id))!;
    const { functionArn, ...name } = scene.functionOf(plugin.id);
    expect(await work().removedFunction(functionArn)).toBeNull();
    await lab().store.plugins.remove(scene.organizationId, plugin.id);
    expect(await work().noteFunction(fence, scene.functionOf(plugin.id))).toBe(false);
    await work().published(fence, operation, { version: 2, functionArn });
    await work().promoted(fence, operation, functionArn);
    await work().failed(fence, operation, 'no');
    expect(await work().nextOperation(plugin.id)).toBeNull();
    expect(await work().removedFunction(functionArn)).toEqual(name);
    await scene.running('plugins.removals', functionArn, (own) => work().forgetFunction(own, functionArn));
    expect(await work().removedFunction(functionArn)).toBeNull();
  });
}
