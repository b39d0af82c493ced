import type { PluginCapabilities } from '@sluice/contracts';
import { FunctionPlatformUnavailable } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { deployerLab, good } from '../test-support/deployer-lab';

let lab: Awaited<ReturnType<typeof deployerLab>>;
beforeEach(async () => { lab = await deployerLab(); });
afterEach(() => lab.stop());

/** A plugin that a connector uses, whose version 2 is being promoted to live with this code. */
async function promoted(code: string, capabilities: PluginCapabilities = {}) {
  const { plugin, connectors: [connectorId] } = await lab.used(code, { capabilities });
  await lab.scene.promote(plugin.id, 'live');
  return { plugin, connectorId: connectorId! };
}

const ended = (pluginId: string, status: string) =>
  until(`the hook is ${status}`, async () => (await lab.hooks(pluginId))[0]?.status === status);

const failing = "exports.handler = () => { throw new Error('no account'); };";

test('a promotion sets the plugin up on its connectors: the handler gets the payload of hooks and nothing else', async () => {
  const { plugin, connectorId } = await promoted(good, { http: ['api.example'], store: ['read'], auth: ['erp'] });
  lab.start();
  await ended(plugin.id, 'success');
  const payload = { schema_version: 1, hook_type: 'setup', connector_id: connectorId, plugin_name: plugin.name, cycle: 1 };
  expect(lab.functions.calls).toMatchObject([{ payload, qualifier: 2, grants: { hosts: ['api.example'], secrets: [] } }]);
  expect(Object.keys(lab.functions.calls[0]!.payload as object)).toEqual(Object.keys(payload));
  const [hook] = await lab.hooks(plugin.id);
  expect(hook).toMatchObject({ hookType: 'setup', cycle: 1, response: { got: payload }, error: null,
    completedAt: expect.any(Date) });
  expect((await lab.scene.get(plugin.id)).setupCompletedAt).toEqual(expect.any(Date));
  const logged = await lab.runs.logs(plugin.id, { limit: 10 });
  expect(logged!.items).toMatchObject([{ message: 'ran', connectorId, eventId: null, version: '2' }]);
  expect(await lab.runs.metrics(plugin.id, new Date(0))).toMatchObject({ invocations: 1, errors: 0 });
});

test('a hook that throws is tried again; ended tries leave it failed and the plugin in error, its version stays', async () => {
  const { plugin, connectorId } = await promoted(failing);
  lab.start();
  await ended(plugin.id, 'failed');
  expect(lab.functions.calls).toHaveLength(3);
  expect((await lab.hooks(plugin.id))[0]).toMatchObject({ error: 'Error: no account', response: null,
    completedAt: expect.any(Date) });
  expect(await lab.scene.get(plugin.id)).toMatchObject({
    status: 'error', liveVersion: 2, errorMessage: `The setup hook failed on connector ${connectorId}: Error: no account`,
  });
});

test('a hook that succeeds later heals the plugin', async () => {
  const { plugin } = await promoted(failing);
  lab.start();
  await ended(plugin.id, 'failed');
  await lab.scene.push(plugin.id, good);
  await lab.scene.promote(plugin.id, 'live');
  await ended(plugin.id, 'success');
  expect(await lab.scene.get(plugin.id)).toMatchObject({ status: 'live', errorMessage: null, liveVersion: 3 });
  expect((await lab.hooks(plugin.id)).map(({ cycle, status }) => [cycle, status])).toEqual([[1, 'success']]);
});

test('a setup that is in effect is not run again by the next promotion', async () => {
  const { plugin } = await promoted(good);
  lab.start();
  await ended(plugin.id, 'success');
  await lab.scene.promote(plugin.id, 'live');
  await until('the next version is live', async () => (await lab.scene.get(plugin.id)).liveVersion === 3);
  await lab.idle();
  expect(lab.functions.calls).toHaveLength(1);
});

test('while the platform is away a hook is tried again', async () => {
  const { plugin } = await promoted(good);
  const { invoke } = lab.functions;
  let refused = 0;
  lab.functions.invoke = (call) => {
    refused += 1;
    return refused === 1 ? Promise.reject(new FunctionPlatformUnavailable('away')) : invoke.call(lab.functions, call);
  };
  lab.start();
  await ended(plugin.id, 'success');
  expect(refused).toBe(2);
});

test('the deletion of a connector runs the teardown of what is set up, with the cycle of its setup', async () => {
  const { plugin, connectorId } = await promoted(good);
  lab.start();
  await ended(plugin.id, 'success');
  await lab.store.connectors.delete(plugin.organizationId, connectorId);
  await until('it is torn down', async () => {
    const teardown = (await lab.hooks(plugin.id)).find(({ hookType }) => hookType === 'teardown');
    return teardown?.status === 'success' && teardown.cycle === 1;
  });
  expect(lab.functions.calls.at(-1)).toMatchObject({ payload: { hook_type: 'teardown', cycle: 1 }, qualifier: 2 });
});
