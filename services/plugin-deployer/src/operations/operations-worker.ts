import { defineWorker, type Worker } from '@sluice/background';
import { pluginTasks } from '@sluice/ports';
import { type OperationDeps, runOperation } from './run-operation';

/** An evaluation of the code may take its whole time, and more where the platform is far away. */
const leaseMs = 60_000;
/** Plugins at the same time in one process, and of one organization. */
const places = 4;
const placesPerTenant = 2;
/** Waits after the store failed: an operation counts its own tries. */
const storeWaitsMs = [1_000, 5_000, 30_000];

/** Does what was asked of the platform for a plugin, one operation after the other, in the order of asking. */
export function operationsWorker(deps: OperationDeps): Worker {
  return defineWorker({
    name: pluginTasks.operations,
    schedule: { waits: storeWaitsMs },
    leaseMs,
    places,
    placesPerTenant,
    run: async (context) => {
      for (;;) {
        context.signal.throwIfAborted();
        const operation = await deps.work.nextOperation(context.key);
        if (!operation) return undefined;
        if (operation.dueInMs > 0) return { dueInMs: operation.dueInMs };
        await runOperation(deps, operation, context);
      }
    },
  });
}
