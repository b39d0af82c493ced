import { defineWorker, type Worker } from '@sluice/background';
import { type ExportStore, exportWorker } from '@sluice/ports';
import { type PreparationDeps, prepareExport } from './preparation';

export interface PrepareWorkerDeps extends PreparationDeps {
  exports: PreparationDeps['exports'] & Pick<ExportStore, 'fail'>;
  /** Waits between attempts: there is one attempt more than waits. */
  retryWaitsMs: readonly number[];
  places: number;
}

const leaseMs = 30_000;

/** Prepares what was asked for, some at a time and of each organization one. */
export function prepareWorker({ retryWaitsMs, places, ...deps }: PrepareWorkerDeps): Worker {
  return defineWorker({
    name: exportWorker,
    schedule: { waits: retryWaitsMs.length > 0 ? retryWaitsMs : [0], attempts: retryWaitsMs.length + 1 },
    leaseMs,
    places,
    placesPerTenant: 1,
    run: async ({ key, fence, signal, logger }) => {
      const end = await prepareExport(deps, { exportId: key, fence, signal, logger });
      return end === 'again' ? { dueInMs: 0 } : undefined;
    },
    gaveUp: ({ key }) => deps.exports.fail(key, 'export_failed'),
  });
}
