import { defineWorker, type Worker } from '@sluice/background';
import { journalWorker as name } from '@sluice/ports';
import { SourceReadError } from '@sluice/sources';
import { readJournal, type ReadJournalDeps } from './read-journal';

/** How soon another process goes on with the journal of one that died. */
const leaseMs = 8_000;

/** Reads the journal of the CRM: one process at a time, for all connectors, because its limits are those of the app. */
export function journalWorker({ everyMs, ...deps }: ReadJournalDeps & { everyMs: number }): Worker {
  return defineWorker({
    name, schedule: { every: everyMs }, leaseMs,
    run: async (context) => {
      try {
        await readJournal(deps, context);
      } catch (error) {
        if (!(error instanceof SourceReadError)) throw error;
        context.logger.info('the journal of the CRM could not be read', { reason: error.message });
      }
    },
  });
}
