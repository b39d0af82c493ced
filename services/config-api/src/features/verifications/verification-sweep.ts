import { defineWorker, type Worker } from '@sluice/background';
import type { VerificationStore } from '@sluice/ports';

const leaseMs = 60_000;
/** Verifications deleted in one run; what is left then waits for the next. */
const most = 1_000;

/**
 * Deletes verifications that ended long ago.
 * @param historyRetentionMs SLUICE_HISTORY_RETENTION: they are kept as long as records
 */
export const verificationSweep = (
  verifications: Pick<VerificationStore, 'deleteOld'>,
  { everyMs, historyRetentionMs }: { everyMs: number; historyRetentionMs: number },
): Worker => defineWorker({
  name: 'verifications.sweep', schedule: { every: everyMs }, leaseMs,
  run: async ({ signal }) => {
    for (let round = 0; round < most && !signal.aborted; round += 1)
      if (!(await verifications.deleteOld(historyRetentionMs))) return;
  },
});
