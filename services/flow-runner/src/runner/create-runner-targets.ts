import type { Activity } from '@sluice/crm-writer';
import type { UsedSecrets } from '@sluice/flow-run';
import { createRestTargets, type Targets } from '@sluice/rest-targets';
import type { PartitionLeases } from '../partitions/partition-leases';
import type { RunnerDeps, RunnerOptions } from './runner-deps';
import type { RunnerMetrics } from '../runner-metrics';

/** The REST destinations of a runner. */
export function createRunnerTargets(
  deps: RunnerDeps,
  options: RunnerOptions,
  parts: { activity: Activity; leases: PartitionLeases; metrics: RunnerMetrics; secrets: UsedSecrets },
): Targets {
  const { activity, leases, metrics, secrets } = parts;
  return createRestTargets({
    client: deps.rest,
    reader: deps.reader,
    observer: metrics.targets,
    secretsUsed: (connectorId, used) => {
      secrets.add(connectorId, used);
      return secrets.maskOf([connectorId]);
    },
    monotonicNow: deps.monotonicNow,
    now: deps.now,
    waiting: activity.waiting,
    timeoutMs: options.targetTimeoutMs,
    maxAnswerBytes: options.targetAnswerBytes,
    connections: options.targetConnections,
    failingAfterMs: options.portalFailingAfterMs,
    ...leases.forCalls(),
  });
}
