import { defineWorker, type Worker } from '@sluice/background';
import { FenceLost, type FunctionPlatform, pluginTasks, type PluginWorkStore } from '@sluice/ports';

export interface RemovalDeps {
  work: Pick<PluginWorkStore, 'removedFunction' | 'forgetFunction'>;
  functions: Pick<FunctionPlatform, 'remove'>;
  /** Waits while the platform cannot be reached; the last one repeats until it can. */
  retryWaitsMs: readonly number[];
}

const leaseMs = 60_000;
const places = 4;
const fallbackWaitMs = 60_000;

/** Removes functions of deleted plugins from the platform. */
export function removalsWorker({ work, functions, retryWaitsMs }: RemovalDeps): Worker {
  return defineWorker({
    name: pluginTasks.removals,
    schedule: { waits: retryWaitsMs.length > 0 ? retryWaitsMs : [fallbackWaitMs] },
    leaseMs,
    places,
    run: async ({ key: functionArn, fence, isOwned }) => {
      const name = await work.removedFunction(functionArn);
      if (!name) return;
      if (!isOwned()) throw new FenceLost(fence);
      await functions.remove(name);
      await work.forgetFunction(fence, functionArn);
    },
  });
}
