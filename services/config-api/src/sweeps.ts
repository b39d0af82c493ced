import { defineWorker, type Worker } from '@sluice/background';
import type { ConfigStore, Logger } from '@sluice/ports';

const leaseMs = 30_000;

/** Old audit entries deleted in one round; the next round continues. */
const auditBatch = 5_000;

/**
 * An expired token is kept for a while, so that who brings it learns that it has expired; a mail that has ended, so that an
 * operator can see what became of it.
 */
const keptMs = 7 * 86_400_000;

export interface SweepTimes {
  /** SLUICE_WORKER_TICK */
  workerTickMs: number;
  /** SLUICE_AUDIT_RETENTION */
  auditRetentionMs: number;
  /** SLUICE_TRIAL_LENGTH */
  trialLengthMs: number;
  /** SLUICE_CLOSE_RECOVERY */
  closeRecoveryMs: number;
}

/**
 * Milliseconds between two sweeps: a tick of background work, or less where a setting makes trials or recovery periods so short
 * that they would be over long before the tick.
 */
export const sweepEveryMs = ({ workerTickMs, trialLengthMs, closeRecoveryMs }: Omit<SweepTimes, 'auditRetentionMs'>): number =>
  Math.min(workerTickMs, Math.max(1_000, Math.min(trialLengthMs, closeRecoveryMs) / 10));

/**
 * Changes by time, the store's: ends trials, recovery periods and subscriptions, deletes expired sessions and tokens, and old
 * audit entries.
 * Each gives the same result when it runs late or twice, so none needs a fence.
 */
export function createSweeps(
  store: Pick<
    ConfigStore,
    'accounts' | 'audit' | 'billing' | 'installs' | 'mailTokens' | 'mails' | 'organizations' | 'secondFactors' | 'storeTime'
  >,
  { auditRetentionMs, ...times }: SweepTimes,
  logger: Logger,
): Worker {
  return defineWorker({
    name: 'config.sweeps', schedule: { every: sweepEveryMs(times) }, leaseMs,
    run: async () => {
      const now = await store.storeTime();
      const ended = await store.organizations.endTrials(now);
      if (ended > 0) logger.info('trials ended', { organizations: ended });
      const closed = await store.organizations.endRecoveries(now);
      if (closed > 0) logger.info('recovery periods ended', { organizations: closed });
      const over = await store.billing.endSubscriptions(now);
      if (over > 0) logger.info('subscriptions ended', { organizations: over });
      await store.accounts.sweepSessions(now);
      await store.secondFactors.sweepChallenges(new Date(now.getTime() - keptMs));
      await store.installs.sweep(new Date(now.getTime() - keptMs));
      await store.mailTokens.sweep(new Date(now.getTime() - keptMs));
      await store.mails.sweep(new Date(now.getTime() - keptMs));
      await store.audit.sweep(new Date(now.getTime() - auditRetentionMs), auditBatch);
    },
  });
}
