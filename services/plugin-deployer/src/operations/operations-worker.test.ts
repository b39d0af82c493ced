import { FunctionPlatformUnavailable } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { deployerLab, good } from '../test-support/deployer-lab';

type Lab = Awaited<ReturnType<typeof deployerLab>>;
let lab: Lab;
beforeEach(async () => { lab = await deployerLab(); });
afterEach(() => lab.stop());

const away = new FunctionPlatformUnavailable('away');
const activePlugins = (connectorId: string) => lab.store.plugins.versionPlugins(connectorId, 1);

test('a push is deployed to the function of its developer', async () => {
  const { id } = await lab.scene.plugin();
  await lab.scene.push(id, good, { developerId: 'dev-1' });
  lab.start();
  await lab.status(id, 'dev');
  const plugin = await lab.scene.get(id);
  const functionArn = lab.functions.arnOf({ organizationId: plugin.organizationId, pluginId: id, developerId: 'dev-1' });
  expect(plugin).toMatchObject({ functionArn, errorMessage: null, lastDeployedAt: expect.any(Date), liveVersion: null });
  expect(await lab.functions.has({ organizationId: plugin.organizationId, functionArn, qualifier: '$LATEST' })).toBe(true);
});

test('promotions publish a version each; what is live is put into active versions of connectors', async () => {
  const { plugin, functionArn, connectors: [connectorId] } = await lab.used();
  expect(plugin).toMatchObject({ status: 'live', liveVersion: 1, stagingVersion: null, functionArn });
  await lab.scene.promote(plugin.id, 'staging');
  await lab.drain();
  expect(await lab.scene.get(plugin.id)).toMatchObject({ status: 'staging', liveVersion: 1, stagingVersion: 2 });
  expect(await activePlugins(connectorId!)).toMatchObject([{ logicalName: plugin.name, version: 1 }]);
  await lab.scene.promote(plugin.id, 'live');
  await lab.drain();
  expect(await lab.scene.get(plugin.id)).toMatchObject({ status: 'live', liveVersion: 3, stagingVersion: 2 });
  expect(await activePlugins(connectorId!)).toMatchObject([{ logicalName: plugin.name, version: 3 }]);
});

test('code whose evaluation fails ends in error, without a stack; a good push heals it', async () => {
  const { id } = await lab.scene.plugin();
  await lab.scene.push(id, "throw new Error('boom'); exports.handler = () => null;");
  lab.start();
  await lab.status(id, 'error');
  const { errorMessage } = await lab.scene.get(id);
  expect(errorMessage).toBe('The deployment failed: Error: boom');
  await lab.scene.push(id, good);
  await lab.status(id, 'dev');
  expect((await lab.scene.get(id)).errorMessage).toBeNull();
});

test('while the platform is away the status names the promotion; it lands once the platform is back', async () => {
  const { id } = await lab.scene.plugin();
  await lab.scene.push(id, good);
  lab.start();
  await lab.status(id, 'dev');
  lab.functions.unavailable = away;
  await lab.scene.promote(id, 'live');
  await until('it was tried', async () => (await lab.work.nextOperation(id))?.tries === 1);
  expect((await lab.scene.get(id)).status).toBe('promoting_to_live');
  lab.functions.unavailable = null;
  await lab.status(id, 'live');
});

test('ended tries leave error with the name of the operation; the same operation heals it', async () => {
  const { id } = await lab.scene.plugin();
  lab.functions.unavailable = away;
  await lab.scene.push(id, good);
  await lab.scene.promote(id, 'live');
  lab.start();
  await lab.status(id, 'error');
  expect((await lab.scene.get(id)).errorMessage)
    .toBe('The promotion to live failed after 3 tries: the function platform cannot be reached');
  lab.functions.unavailable = null;
  await lab.scene.promote(id, 'live');
  await lab.status(id, 'live');
  expect((await lab.scene.get(id)).errorMessage).toBeNull();
});

test('a connector that a promotion does not reach keeps its version until the next one; the others get it', async () => {
  const { plugin, connectors } = await lab.used(good, { users: 2 });
  const rollOut: Lab['work']['rollOut'] = (fence, pluginId, connectorId) =>
    connectorId === connectors[0] ? Promise.reject(new Error('the row is broken'))
      : lab.work.rollOut(fence, pluginId, connectorId);
  const versions = async () => (await Promise.all(connectors.map(activePlugins))).map(([one]) => one!.version);
  await lab.scene.promote(plugin.id, 'live');
  await lab.drain(lab.workersWith({ work: { ...lab.work, rollOut } }));
  expect((await lab.scene.get(plugin.id)).status).toBe('live');
  expect(await versions()).toEqual([1, 2]);
  await lab.scene.promote(plugin.id, 'live');
  await lab.drain();
  expect(await versions()).toEqual([3, 3]);
});

test('a plugin that is deleted meanwhile leaves no function', async () => {
  const plugin = await lab.scene.plugin();
  await lab.scene.push(plugin.id, good);
  lab.start();
  await lab.status(plugin.id, 'dev');
  await lab.scene.promote(plugin.id, 'live');
  await lab.store.plugins.remove(plugin.organizationId, plugin.id);
  await lab.idle();
  for (const developerId of ['dev-1', null]) {
    const functionArn = lab.functions.arnOf({ ...plugin, pluginId: plugin.id, developerId });
    expect(await lab.functions.has({ ...plugin, functionArn, qualifier: '$LATEST' })).toBe(false);
  }
});
