import { BackgroundRunner, type Worker } from '@sluice/background';
import { runContext } from '@sluice/background/test-support';
import type { PluginCapabilities } from '@sluice/contracts';
import { type FunctionPlatform, type PluginRunStore, type PluginWorkStore, silentLogger } from '@sluice/ports';
import {
  createMemoryConfigStore, createMemoryRunStore, createMemoryTaskStore, FunctionPlatformTwin, PluginScene, until,
} from '@sluice/ports/testing';
import { createMetrics, createMonotonicClock } from '@sluice/service-kit';
import { hooksWorker } from '../hooks/hooks-worker';
import { HookError } from '../hooks/run-hook';
import { operationsWorker } from '../operations/operations-worker';
import { removalsWorker } from '../removals/removals-worker';

export const good = "exports.handler = async (payload) => { console.log('ran'); return { got: payload }; };";

/** The workers of plugin-deployer on twins. Waits are short. */
export async function deployerLab({ retryWaitsMs = [20, 20] }: { retryWaitsMs?: readonly number[] } = {}) {
  const tasks = createMemoryTaskStore();
  const store = createMemoryConfigStore({ tasks });
  const functions = new FunctionPlatformTwin();
  const [work, runs] = [store.pluginWork, store.pluginRuns];
  const scene = await PluginScene.open({
    store, work, runs, tasks, runStore: createMemoryRunStore(Date.now, runs), close: async () => undefined,
  });
  const workersWith = (
    { work: usedWork = work, functions: usedFunctions = functions, runs: usedRuns = runs }: Partial<Deps> = {},
  ): Worker[] => [
    operationsWorker({ work: usedWork, functions: usedFunctions, retryWaitsMs }),
    hooksWorker({ work: usedWork, functions: usedFunctions, runs: usedRuns, retryWaitsMs, linesPerHour: 1_000 }),
    removalsWorker({ work: usedWork, functions: usedFunctions, retryWaitsMs }),
  ];
  /**
   * Does what is due, task by task. A hook that fails is given up at once, as after its last try.
   * @throws what else a run throws; its task stays with 'a process'
   */
  const drain = async (workers = workersWith()): Promise<void> => {
    const requests = workers.map(({ name }) => ({ worker: name, limit: 10, leaseMs: 60_000, exceptTenants: [] }));
    for (;;) {
      const { runs: due } = await tasks.claim('a process', requests);
      if (due.length === 0) return;
      for (const fence of due) {
        const worker = workers.find(({ name }) => name === fence.worker)!;
        const context = runContext({ key: fence.key, fence });
        await worker.run(context).catch((error: unknown) => {
          if (!(error instanceof HookError)) throw error;
          return worker.gaveUp!(context, error.message);
        });
        await tasks.finish(fence, { next: 'removed', error: null, retry: false });
      }
    }
  };
  const runners = new Set<BackgroundRunner>();
  const start = (workers = workersWith()): BackgroundRunner => {
    const runner = new BackgroundRunner({
      tasks, workers, owner: 'a process', takeOver: true, logger: silentLogger, metrics: createMetrics({ service: 'test' }),
      monotonicNow: createMonotonicClock(), pollMs: 5,
    });
    runner.start();
    runners.add(runner);
    return runner;
  };
  return {
    tasks, store, work, runs, functions, scene, workersWith, start, drain,
    /** A plugin whose version 1 is live and used by connectors, which are not set up. */
    used: async (code = good, { users = 1, capabilities = {} }: { users?: number; capabilities?: PluginCapabilities } = {}) => {
      const { id } = await scene.plugin({ capabilities });
      await scene.push(id, code);
      await scene.promote(id, 'live');
      await drain();
      const plugin = await scene.get(id);
      const functionArn = functions.arnOf({ ...plugin, pluginId: id, developerId: null });
      const connectors: string[] = [];
      while (connectors.length < users) connectors.push(await scene.user(plugin, { function_arn: functionArn }));
      return { plugin, functionArn, connectors };
    },
    stop: () => Promise.all([...runners].map((runner) => runner.stop())),
    /** Waits until a plugin has a status. */
    status: (id: string, wanted: string) =>
      until(`the plugin is ${wanted}`, async () => (await scene.get(id)).status === wanted),
    hooks: (pluginId: string) => store.plugins.hooks(pluginId, null),
    /** Waits until nothing is left to do. */
    idle: () => until('every task is done', async () => (await tasks.overview()).every((worker) => worker.tasks === 0)),
  };
}

interface Deps {
  work: PluginWorkStore;
  functions: FunctionPlatform;
  runs: PluginRunStore;
}
