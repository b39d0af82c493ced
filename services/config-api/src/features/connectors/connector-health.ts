import {
  type ConnectorRow, type FlowBreaker, isHealthyAgain, isOpenInsideWait, newBreaker, stateAt, stateInForce,
} from '@sluice/ports';

/** The flows of a connector's active version, and the breakers that they have. */
export interface FlowHealthFacts {
  flows: readonly { name: string; enabled: boolean }[];
  breakers: readonly FlowBreaker[];
  /** Milliseconds since the epoch. */
  now: number;
  /** A flow that stayed closed for so long counts its openings anew. */
  healthyResetMs: number;
}

/** What nothing is known of: no version is active, or no flow was ever stopped. */
export const noFlows: FlowHealthFacts = { flows: [], breakers: [], now: 0, healthyResetMs: 0 };

const breakerOf = ({ breakers }: FlowHealthFacts, name: string): FlowBreaker =>
  breakers.find(({ flowName }) => flowName === name) ?? newBreaker('', name);

/** A flow as the health of its connector shows it. */
export function flowHealth(name: string, facts: FlowHealthFacts) {
  const breaker = breakerOf(facts, name);
  const state = stateAt(breaker, facts.now);
  const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  const opens = isHealthyAgain(breaker, facts.now, facts.healthyResetMs) ? 0 : breaker.opens;
  if (breaker.forced !== null) {
    const reason = breaker.forced === 'open' ? 'manual' : null;
    return { name, state, reason, detail: null, opened_at: null, retry_after_at: null, cooldown_seconds: null, opens };
  }
  return {
    name, state, reason: breaker.reason, detail: breaker.detail, opened_at: iso(breaker.openedAt),
    retry_after_at: iso(breaker.retryAfterAt),
    cooldown_seconds: breaker.cooldownMs === null ? null : Math.round(breaker.cooldownMs / 1_000), opens,
  };
}

/** The health of a connector: `error` when it is stopped by an error, or every enabled flow is stopped inside of its wait. */
export function healthState(status: ConnectorRow['status'], facts: FlowHealthFacts): 'healthy' | 'degraded' | 'error' {
  const enabled = facts.flows.filter(({ enabled: isEnabled }) => isEnabled);
  const isStopped = ({ name }: { name: string }): boolean => isOpenInsideWait(breakerOf(facts, name), facts.now);
  if (status === 'error' || (enabled.length > 0 && enabled.every(isStopped))) return 'error';
  return facts.flows.some(({ name }) => stateInForce(breakerOf(facts, name)) !== 'closed') ? 'degraded' : 'healthy';
}
