import type { ConfigStore, Logger } from '@sluice/ports';
import { createTicker, type Ticker } from '@sluice/service-kit';

const everyMs = 60_000;

/** Old audit entries deleted in one round; the next round continues. */
const auditBatch = 5_000;

/**
 * Changes by time, the store's: ends trials, deletes expired sessions and old audit entries.
 * @param auditRetentionMs SLUICE_AUDIT_RETENTION
 */
export function createSweeps(
  store: Pick<ConfigStore, 'accounts' | 'audit' | 'organizations' | 'storeTime'>,
  auditRetentionMs: number,
  logger: Logger,
): Ticker {
  return createTicker({
    name: 'config sweeps',
    everyMs,
    logger,
    run: async () => {
      const now = await store.storeTime();
      const ended = await store.organizations.endTrials(now);
      if (ended > 0) logger.info('trials ended', { organizations: ended });
      await store.accounts.sweepSessions(now);
      await store.audit.sweep(new Date(now.getTime() - auditRetentionMs), auditBatch);
    },
  });
}
