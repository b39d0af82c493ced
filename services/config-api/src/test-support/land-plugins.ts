import type { FunctionPlatform, PluginOperation, PluginWorkStore, TaskStore } from '@sluice/ports';

/** What plugin-deployer works with. */
export interface LandPluginsParts {
  tasks: TaskStore;
  work: PluginWorkStore;
  functions: FunctionPlatform;
}

/** Does what plugin-deployer does with operations that are due, as long as nothing fails: all pushes and promotions land. */
export async function landPlugins({ tasks, work, functions }: LandPluginsParts): Promise<void> {
  const request = { worker: 'plugins.operations', limit: 100, leaseMs: 60_000, exceptTenants: [] };
  const { runs } = await tasks.claim('a test', [request]);
  for (const fence of runs) {
    for (let next = await work.nextOperation(fence.key); next; next = await work.nextOperation(fence.key))
      await land(next, fence);
    await tasks.finish(fence, { next: 'removed', error: null, retry: false });
  }

  async function land(operation: PluginOperation, fence: (typeof runs)[number]): Promise<void> {
    const { what, organizationId, pluginId, sha256 } = operation;
    const name = { organizationId, pluginId, developerId: what.kind === 'deploy' ? what.developerId : null };
    const functionArn = functions.arnOf(name);
    const code = (await work.bundle(pluginId, sha256))!;
    await work.noteFunction(fence, { ...name, functionArn });
    if (what.kind === 'deploy') {
      const deployed = await functions.deploy(name, code);
      if (!deployed.ok) return work.failed(fence, operation, `The deployment failed: ${deployed.message}.`);
      return work.deployed(fence, operation, functionArn);
    }
    const published = await functions.publish(name, code, operation.id);
    if (!published.ok) return work.failed(fence, operation, `The promotion failed: ${published.message}.`);
    await work.published(fence, operation, { version: published.version, functionArn });
    for (const id of await work.usersOf(pluginId, null, 100)) await work.rollOut(fence, pluginId, id);
    await work.promoted(fence, operation, functionArn);
  }
}
