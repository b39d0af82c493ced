import type { CallObserver } from '@sluice/crm-writer';
import type { RestTargetsDeps } from '@sluice/rest-targets';
import type { Metrics } from '@sluice/service-kit';

/** What an operator watches of a runner. */
export interface RunnerMetrics {
  settled(status: string, acceptedAt: string, now: number): void;
  held(reason: string): void;
  /** A flow breaker changed with an outcome of this runner. */
  breaker(state: string): void;
  crm: CallObserver;
  targets: RestTargetsDeps['observer'];
}

export function createRunnerMetrics(metrics: Metrics): RunnerMetrics {
  const outcomes = metrics.counter({ name: 'record_outcomes_total', help: 'Records by outcome.', labels: ['status'] });
  const holds = metrics.counter({
    name: 'events_held_total',
    help: 'Events moved to the held store, by reason.',
    labels: ['reason'],
  });
  const breakers = metrics.counter({
    name: 'flow_breaker_changes_total', help: 'Changes of flow breakers by their new state.', labels: ['state'],
  });
  const latency = metrics.histogram({
    name: 'event_latency_seconds',
    help: 'From accept to a stored outcome.',
    labels: ['status'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600],
  });
  const calls = metrics.counter({
    name: 'crm_calls_total',
    help: 'Calls to the CRM by kind and HTTP status (0: no answer).',
    labels: ['kind', 'status'],
  });
  const callSeconds = metrics.histogram({ name: 'crm_call_seconds', help: 'Duration of CRM calls.', labels: ['kind'] });
  const targetCalls = metrics.counter({
    name: 'target_calls_total',
    help: 'Requests to REST destinations by HTTP status (0: no answer).',
    labels: ['status'],
  });
  const targetSeconds = metrics.histogram({ name: 'target_call_seconds', help: 'Duration of requests to REST destinations.' });
  return {
    targets: {
      called: ({ status, ms }) => {
        targetCalls.inc({ status });
        targetSeconds.observe(ms / 1_000);
      },
    },
    settled: (status, acceptedAt, now) => {
      outcomes.inc({ status });
      latency.observe(Math.max(0, now - Date.parse(acceptedAt)) / 1_000, { status });
    },
    held: (reason) => holds.inc({ reason }),
    breaker: (state) => breakers.inc({ state }),
    crm: {
      called: ({ kind, status, ms }) => {
        calls.inc({ kind, status });
        callSeconds.observe(ms / 1_000, { kind });
      },
    },
  };
}
