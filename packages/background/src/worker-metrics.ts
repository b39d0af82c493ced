import type { Metrics } from '@sluice/service-kit';

/** How a run ended: `lost` when its task passed to another run, `given_back` when the process stopped. */
export type RunOutcome = 'done' | 'failed' | 'gave_up' | 'lost' | 'given_back';

export interface WorkerMetrics {
  began(worker: string, latenessS: number): void;
  ended(worker: string, outcome: RunOutcome, durationS: number): void;
}

const minutes = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1_800];

export function createWorkerMetrics(metrics: Metrics): WorkerMetrics {
  const labels = ['worker'];
  const runs = metrics.counter({
    name: 'background_runs_total', help: 'Runs of background workers that ended, by outcome.', labels: ['worker', 'outcome'],
  });
  const durations = metrics.histogram({
    name: 'background_run_seconds', help: 'How long runs of background workers took.', labels, buckets: minutes,
  });
  const lateness = metrics.histogram({
    name: 'background_lateness_seconds', help: 'How long after its time a run began.', labels, buckets: minutes,
  });
  const running = metrics.gauge({ name: 'background_running', help: 'Runs of background workers under way here.', labels });
  const failures = metrics.gauge({
    name: 'background_failures_in_a_row', help: 'Runs of a worker that failed here since the last one that did not.', labels,
  });
  const success = metrics.gauge({
    name: 'background_last_success_seconds', help: 'When a run last did its work here, in seconds since the epoch.', labels,
  });
  return {
    began: (worker, latenessS) => {
      running.inc({ worker });
      lateness.observe(Math.max(0, latenessS), { worker });
    },
    ended: (worker, outcome, durationS) => {
      running.dec({ worker });
      runs.inc({ worker, outcome });
      durations.observe(durationS, { worker });
      if (outcome === 'failed' || outcome === 'gave_up') failures.inc({ worker });
      if (outcome !== 'done') return;
      failures.set(0, { worker });
      success.set(Date.now() / 1000, { worker });
    },
  };
}
