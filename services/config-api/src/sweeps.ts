import type { ConfigStore, Logger } from '@sluice/ports';
import { createTicker, type Ticker } from '@sluice/service-kit';

const everyMs = 60_000;

/** What time alone changes: trials end, expired sessions go. */
export function createSweeps(store: Pick<ConfigStore, 'accounts' | 'organizations'>, logger: Logger): Ticker {
  return createTicker({
    name: 'config sweeps', everyMs, logger,
    run: async () => {
      const now = new Date();
      const ended = await store.organizations.endTrials(now);
      if (ended > 0) logger.info('trials ended', { organizations: ended });
      await store.accounts.sweepSessions(now);
    },
  });
}
