import { defineWorker, type Worker } from '@sluice/background';
import { pluginTasks } from '@sluice/ports';
import { type HookDeps, runHook } from './run-hook';

export interface HooksWorkerDeps extends HookDeps {
  /** Waits between the tries of a hook: there is one try more than waits. */
  retryWaitsMs: readonly number[];
}

const leaseMs = 60_000;
/** Hooks at the same time in one process, and of one organization. */
const places = 8;
const placesPerTenant = 2;

/** Runs setups and teardowns that were asked for. */
export function hooksWorker({ retryWaitsMs, ...deps }: HooksWorkerDeps): Worker {
  return defineWorker({
    name: pluginTasks.hooks,
    schedule: { waits: retryWaitsMs.length > 0 ? retryWaitsMs : [0], attempts: retryWaitsMs.length + 1 },
    leaseMs,
    places,
    placesPerTenant,
    run: (context) => runHook(deps, context),
    gaveUp: ({ key, fence }, error) => deps.work.hookFailed(fence, key, error, true),
  });
}
