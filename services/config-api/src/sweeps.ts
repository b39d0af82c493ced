import { defineWorker, type Worker } from '@sluice/background';
import type { ConfigStore, Logger } from '@sluice/ports';

const everyMs = 60_000;
const leaseMs = 30_000;

/** Old audit entries deleted in one round; the next round continues. */
const auditBatch = 5_000;

/**
 * Changes by time, the store's: ends trials, deletes expired sessions and old audit entries. Each is one statement that gives the
 * same result when it runs late or twice, so none needs a fence.
 * @param auditRetentionMs SLUICE_AUDIT_RETENTION
 */
export function createSweeps(
  store: Pick<ConfigStore, 'accounts' | 'audit' | 'organizations' | 'storeTime'>,
  auditRetentionMs: number,
  logger: Logger,
): Worker {
  return defineWorker({
    name: 'config.sweeps', schedule: { every: everyMs }, leaseMs,
    run: async () => {
      const now = await store.storeTime();
      const ended = await store.organizations.endTrials(now);
      if (ended > 0) logger.info('trials ended', { organizations: ended });
      await store.accounts.sweepSessions(now);
      await store.audit.sweep(new Date(now.getTime() - auditRetentionMs), auditBatch);
    },
  });
}
