import type { Activity } from '@sluice/crm-writer';
import { createRestTargets } from '@sluice/rest-targets';
import type { PartitionLeases } from '../partitions/partition-leases';
import type { RunnerDeps, RunnerOptions } from './runner-deps';
import type { RunnerMetrics } from './runner-metrics';

/** The REST destinations of a runner. */
export function targetsOf(
  deps: RunnerDeps,
  options: RunnerOptions,
  { activity, leases, metrics }: { activity: Activity; leases: PartitionLeases; metrics: RunnerMetrics },
): ReturnType<typeof createRestTargets> {
  return createRestTargets({
    client: deps.rest,
    reader: deps.reader,
    observer: metrics.targets,
    now: deps.monotonicNow,
    wallNow: deps.now,
    waiting: activity.waiting,
    timeoutMs: options.targetTimeoutMs,
    maxAnswerBytes: options.targetAnswerBytes,
    connections: options.targetConnections,
    failingAfterMs: options.portalFailingAfterMs,
    insideLease: (ms) => leases.fits(ms),
  });
}
