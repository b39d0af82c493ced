import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, StoreUnavailable } from '@sluice/ports';

export interface PrepareDatabaseOptions {
  /** Brings the schema up to this build; rejects with StoreUnavailable while the database cannot be reached. */
  migrate(): Promise<unknown>;
  /** Whether the service may start before its database can be reached. */
  startWithout: boolean;
  logger: Logger;
  /** Milliseconds between two tries. Default 2,000. */
  againMs?: number;
}

/**
 * Migrates the schema before anything reads or writes. A service that may start without its database goes on when the database
 * cannot be reached (events are accepted while Postgres is down), and migrates as soon as it can be reached.
 */
export function prepareDatabase({ migrate, startWithout, logger, againMs = 2_000 }: PrepareDatabaseOptions): {
  start(): Promise<void>;
  stop(): Promise<void>;
} {
  const abort = new AbortController();
  let later: Promise<void> = Promise.resolve();

  const keepTrying = async (): Promise<void> => {
    while (!abort.signal.aborted) {
      await sleep(againMs, undefined, { signal: abort.signal }).catch(() => undefined);
      if (abort.signal.aborted) return;
      try {
        await migrate();
        logger.info('the database is there');
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) logger.error('the database cannot be migrated', { error });
      }
    }
  };
  return {
    start: async () => {
      try {
        await migrate();
      } catch (error) {
        if (!startWithout || !(error instanceof StoreUnavailable)) throw error;
        logger.warn('started without the database, which cannot be reached', { error });
        later = keepTrying();
      }
    },
    stop: async () => {
      abort.abort();
      await later;
    },
  };
}
