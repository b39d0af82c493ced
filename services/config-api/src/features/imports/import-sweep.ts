import { defineWorker, type Worker } from '@sluice/background';
import type { ImportDeps } from './deps';
import { uploadFolder } from './uploaded-file';

const leaseMs = 60_000;
/** No request takes that long: what it stored of an import that is not accepted by then is left behind. */
const abandonedMs = 86_400_000;
/** Rounds of one run: what is left then waits for the next. */
const mostRounds = 1_000;

export interface ImportSweepOptions {
  everyMs: number;
  /** SLUICE_HISTORY_RETENTION: ended imports are kept as long as records. */
  historyRetentionMs: number;
}

/** Deletes imports that ended long ago, and what requests that never ended left behind; the store's clock says how old it is. */
export const importSweep = (
  { imports, blobs }: Pick<ImportDeps, 'imports' | 'blobs'>, { everyMs, historyRetentionMs }: ImportSweepOptions,
): Worker => defineWorker({
  name: 'imports.sweep', schedule: { every: everyMs }, leaseMs,
  run: async ({ signal, startedAt }) => {
    for (let round = 0; round < mostRounds && !signal.aborted; round += 1)
      if ((await imports.abandonOld(abandonedMs)) === 0) break;
    for (let round = 0; round < mostRounds && !signal.aborted; round += 1)
      if (!(await imports.deleteOld(historyRetentionMs))) break;
    await blobs.deleteOlderThan(uploadFolder, new Date(startedAt.getTime() - abandonedMs));
  },
});
