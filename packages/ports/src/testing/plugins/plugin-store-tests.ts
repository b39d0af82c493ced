import { randomUUID } from 'node:crypto';
import { everything, newVersion } from '../config-store/config-store-lab';
import { aPush, type PluginLab, PluginScene } from './plugin-lab';

/** Plugins as config-api sees them. */
export function pluginStoreTests(lab: () => PluginLab): void {
  let scene: PluginScene;
  const plugins = () => lab().store.plugins;
  beforeEach(async () => {
    scene = await PluginScene.open(lab());
  });

  it('creates a draft, and answers it to its organization alone', async () => {
    const capabilities = { http: ['*.shop.example'], store: ['read' as const] };
    const plugin = await scene.plugin({ name: 'Price', capabilities });
    expect(plugin).toEqual({
      id: plugin.id, organizationId: scene.organizationId, name: 'Price', status: 'draft', capabilities, stagingVersion: null,
      liveVersion: null, functionArn: null, errorMessage: null, bundleSha256: null, hasSource: false, lastDeployedAt: null,
      setupCompletedAt: null, createdAt: expect.any(Date), updatedAt: expect.any(Date),
    });
    expect(await plugins().get(scene.organizationId, plugin.id)).toEqual({ ...plugin, functions: [] });
    expect(await plugins().get(randomUUID(), plugin.id)).toBeNull();
    expect(await plugins().get(scene.organizationId, 'no id')).toBeNull();
  });

  it('lists the plugins of an organization, newest first', async () => {
    const [first, second] = [await scene.plugin(), await scene.plugin()];
    await (await PluginScene.open(lab())).plugin();
    expect((await plugins().list(scene.organizationId, everything)).items.map(({ id }) => id)).toEqual([second.id, first.id]);
    const older = await plugins().list(scene.organizationId, { limit: 1, offset: 1 });
    expect(older).toMatchObject({ items: [{ id: first.id }], total: 2 });
  });

  it('gives a name to one plugin of an organization, also of two that ask at once', async () => {
    const wanted = { organizationId: scene.organizationId, name: 'Price', capabilities: {}, createdById: null };
    const answers = await Promise.all([plugins().create(wanted), plugins().create(wanted)]);
    expect(answers.filter(({ ok }) => !ok)).toEqual([{ ok: false, reason: 'name_taken' }]);
    expect(await (await PluginScene.open(lab())).plugin({ name: 'Price' })).toMatchObject({ name: 'Price' });
    const other = await scene.plugin({ name: 'Other' });
    const renamed = await plugins().update(scene.organizationId, other.id, { name: 'Price' });
    expect(renamed).toEqual({ ok: false, reason: 'name_taken' });
    expect(await plugins().update(scene.organizationId, other.id, { name: 'Other' })).toMatchObject({ ok: true });
  });

  it('frees the name of a deleted one', async () => {
    const { id } = await scene.plugin({ name: 'Price' });
    expect(await plugins().remove(scene.organizationId, id)).toEqual({ ok: true });
    expect(await plugins().remove(scene.organizationId, id)).toEqual({ ok: false, reason: 'not_found' });
    expect(await scene.plugin({ name: 'Price' })).toMatchObject({ status: 'draft' });
  });

  it('changes name and grants, each alone', async () => {
    const { id } = await scene.plugin({ name: 'Price', capabilities: { store: ['read'] } });
    await plugins().update(scene.organizationId, id, { capabilities: { auth: ['shop'] } });
    await plugins().update(scene.organizationId, id, { name: 'Cost' });
    expect(await scene.get(id)).toMatchObject({ name: 'Cost', capabilities: { auth: ['shop'] } });
    const unknown = { ok: false, reason: 'not_found' };
    expect(await plugins().update(randomUUID(), id, { name: 'Mine' })).toEqual(unknown);
  });

  it('keeps what was pushed last, and asks for its deployment', async () => {
    const { id } = await scene.plugin();
    expect([
      await plugins().bundle(scene.organizationId, id), await plugins().source(scene.organizationId, id),
    ]).toEqual([null, null]);
    await scene.push(id, 'first');
    const second = aPush('second', { source: null });
    expect(await scene.push(id, 'second', { source: null })).toMatchObject({
      status: 'draft', bundleSha256: second.sha256, hasSource: false,
    });
    expect([await plugins().bundle(scene.organizationId, id), await plugins().source(scene.organizationId, id)])
      .toEqual(['second', null]);
    expect(await plugins().bundle(randomUUID(), id)).toBeNull();
    expect(await scene.isDue('plugins.operations', id)).toBe(true);
    expect(await plugins().push(randomUUID(), id, second)).toEqual({ ok: false, reason: 'not_found' });
  });

  it('promotes nothing before a push; a promotion that waits decides the status', async () => {
    const { id } = await scene.plugin();
    expect(await plugins().promote(scene.organizationId, id, 'live')).toEqual({ ok: false, reason: 'not_pushed' });
    await scene.push(id, 'first');
    expect(await scene.promote(id, 'live')).toMatchObject({ status: 'promoting_to_live' });
    expect(await scene.promote(id, 'staging')).toMatchObject({ status: 'promoting_to_staging' });
    expect((await plugins().list(scene.organizationId, everything)).items).toMatchObject([{ status: 'promoting_to_staging' }]);
    expect(await plugins().promote(randomUUID(), id, 'live')).toEqual({ ok: false, reason: 'not_found' });
  });

  it('resolves names within the organization, with the functions that were deployed', async () => {
    const plugin = await scene.livePlugin({ name: 'Price' });
    await (await PluginScene.open(lab())).plugin({ name: 'Price' });
    const [shared, own] = [scene.functionOf(plugin.id), scene.functionOf(plugin.id, 'dev-1')];
    const [known, ...others] = await plugins().named(scene.organizationId, ['Price', 'Unknown', 'price']);
    expect(others).toEqual([]);
    expect(known).toMatchObject({ ...plugin, name: 'Price' });
    expect(known!.functions).toHaveLength(2);
    expect(known!.functions).toEqual(expect.arrayContaining([
      { functionArn: shared.functionArn, developerId: null }, { functionArn: own.functionArn, developerId: 'dev-1' },
    ]));
    const asked = [shared.functionArn, 'arn:sluice:local:function:unknown'];
    expect(await plugins().ownFunctions(scene.organizationId, asked)).toEqual([
      { functionArn: shared.functionArn, pluginId: plugin.id },
    ]);
    expect(await plugins().ownFunctions(randomUUID(), asked)).toEqual([]);
    expect(await plugins().functionsOfOthers(scene.organizationId, asked)).toEqual([]);
    expect(await plugins().functionsOfOthers(randomUUID(), asked)).toEqual([shared.functionArn]);
  });

  it('refuses to delete what an active version uses, and names the connectors', async () => {
    const plugin = await scene.livePlugin();
    const id = await scene.user(plugin);
    const inUse = { ok: false, reason: 'in_use', connectors: [{ id, name: 'Shop' }] };
    expect(await plugins().remove(scene.organizationId, plugin.id)).toEqual(inUse);
    const other = await scene.livePlugin();
    await scene.publish(
      id, [scene.live(other, { origin: 'override', function_arn: scene.functionOf(plugin.id).functionArn })], 1,
    );
    expect(await plugins().remove(scene.organizationId, plugin.id)).toEqual(inUse);
    await scene.publish(id, [], 2);
    expect(await plugins().remove(scene.organizationId, plugin.id)).toEqual({ ok: true });
    expect(await scene.isDue('plugins.removals', scene.functionOf(plugin.id).functionArn)).toBe(true);
  });

  it('deletes it where a deleted connector used it', async () => {
    const plugin = await scene.livePlugin();
    const id = await scene.user(plugin);
    await lab().store.connectors.delete(scene.organizationId, id);
    expect(await plugins().remove(scene.organizationId, plugin.id)).toEqual({ ok: true });
  });

  it('publishes what names were resolved to, and refuses what has changed since', async () => {
    const plugin = await scene.livePlugin({ capabilities: { store: ['read'] } });
    const connectorId = await scene.connector();
    const resolved = scene.live(plugin);
    const publish = (over: Partial<typeof resolved>, baseVersion = 0) =>
      lab().store.drafts.publish(newVersion(connectorId, { baseVersion, plugins: [{ ...resolved, ...over }] }));
    const changed = { ok: false, reason: 'plugins_changed' };
    expect(await publish({ version: 2 })).toEqual(changed);
    expect(await publish({ capabilities: {} })).toEqual(changed);
    expect(await publish({ pluginId: randomUUID() })).toEqual(changed);
    expect(await publish({})).toMatchObject({ ok: true, version: { version: 1 } });
    expect(await publish({ origin: 'override', version: '$LATEST', logicalName: 'Other' }, 1)).toMatchObject({ ok: true });
    expect(await plugins().versionPlugins(connectorId, 1)).toEqual([resolved]);
    expect(await plugins().versionPlugins(connectorId, 2)).toMatchObject([{ origin: 'override', version: '$LATEST' }]);
    expect(await plugins().versionPlugins(connectorId, 3)).toEqual([]);
  });

  it('lets either the deletion or the publish win that use one plugin at once', async () => {
    const plugin = await scene.livePlugin();
    const connectorId = await scene.connector();
    const [removal, publish] = await Promise.all([
      plugins().remove(scene.organizationId, plugin.id),
      lab().store.drafts.publish(newVersion(connectorId, { plugins: [scene.live(plugin)] })),
    ]);
    expect([removal, publish].filter(({ ok }) => !ok)).toHaveLength(1);
    expect(await plugins().get(scene.organizationId, plugin.id) === null).toBe(removal.ok);
  });
}
