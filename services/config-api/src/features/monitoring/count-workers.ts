import { defineWorker, type Worker } from '@sluice/background';
import type { Logger, MonitoringStore } from '@sluice/ports';

const everyMs = 300_000;
const leaseMs = 60_000;
/** A rebuild leaves alone what may still be written: rows end now, and the newest hours are counted by minutes. */
const settledMs = 600_000;

/** Keeps the counts of ended records and accepted events (docs/architecture.md, Counts). */
export const countWorkers = (monitoring: Pick<MonitoringStore, 'fold' | 'rebuild' | 'storeTime'>, logger: Logger): Worker[] =>
  [foldWorker(monitoring, logger), rebuildWorker(monitoring, logger)];

/** The worker that adds ended hours and days up. */
function foldWorker(monitoring: Pick<MonitoringStore, 'fold' | 'storeTime'>, logger: Logger): Worker {
  return defineWorker({
    name: 'monitoring.fold', schedule: { every: everyMs }, leaseMs,
    run: async ({ fence }) => {
      const rows = await monitoring.fold(await monitoring.storeTime(), fence);
      if (rows > 0) logger.debug('counts added up', { rows });
    },
  });
}

export const rebuildWorkerName = 'monitoring.rebuild';

/** The worker that counts everything again when an operator wants it. */
function rebuildWorker(monitoring: Pick<MonitoringStore, 'rebuild' | 'storeTime'>, logger: Logger): Worker {
  return defineWorker({
    name: rebuildWorkerName, schedule: { waits: [60_000] }, leaseMs,
    run: async ({ fence }) => {
      const until = new Date((await monitoring.storeTime()).getTime() - settledMs);
      await monitoring.rebuild(until, fence);
      logger.info('counts rebuilt from the rows', { until: until.toISOString() });
    },
  });
}
