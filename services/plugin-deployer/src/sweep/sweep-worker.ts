import { defineWorker, type Worker } from '@sluice/background';
import { metricRanges } from '@sluice/contracts';
import type { PluginRunStore } from '@sluice/ports';

export interface SweepDeps {
  runs: Pick<PluginRunStore, 'sweep'>;
  /** Milliseconds between two sweeps. */
  everyMs: number;
  /** Milliseconds that a line of a plugin's log is kept. */
  logsMs: number;
}

const leaseMs = 60_000;
const hourMs = 3_600_000;
/** Counts are kept as long as somebody can ask for them, and one day more. */
const metricsMs = (metricRanges['30d'] + 24) * hourMs;

/** Deletes old logs and counts of plugins, and values of their stores that have expired. */
export function sweepWorker({ runs, everyMs, logsMs }: SweepDeps): Worker {
  return defineWorker({
    name: 'plugins.sweep',
    schedule: { every: everyMs },
    leaseMs,
    run: ({ startedAt }) => {
      const before = (ms: number): Date => new Date(startedAt.getTime() - ms);
      return runs.sweep({ logs: before(logsMs), metrics: before(metricsMs) });
    },
  });
}
