import type { BreakerFeed } from '@sluice/connector-feed';
import {
  type BreakerStore, type FlowBreaker, type FlowOutcome, flowScope, isOpenInsideWait, type Logger, type StoreClock,
} from '@sluice/ports';
import type { HeldScope } from '../held/held-scope';
import type { RunnerMetrics } from '../runner-metrics';
import type { Unit } from '../units/unit';
import { isNarrow } from '../units/verdicts/verdict';
import type { StartRefusal } from './start-block';

export interface FlowBreakersDeps {
  store: Pick<BreakerStore, 'claimAttempt'>;
  feed: Pick<BreakerFeed, 'get' | 'learn' | 'onChange'>;
  storeNow: StoreClock;
  logger: Logger;
  metrics: Pick<RunnerMetrics, 'breaker'>;
}

/** A recovery attempt that has not ended within this time was lost with its runner. */
export const attemptMs = 60_000;
/** Events of a stopped flow are looked at again after at most this long: a change may have been missed. */
const longestWaitMs = 300_000;
/** Flows that are known to have no streak, at most. */
const maxClean = 100_000;

const keyOf = (connectorId: string, flowName: string): string => `${connectorId} ${flowName}`;

/**
 * What flow breakers mean for a runner's units (ADR 0105): which may start, which is the recovery attempt, and what their
 * attempts tell. `clean`: the flows whose last outcome known here was a write; their next writes change nothing and are not
 * noted.
 */
export class FlowBreakers {
  private readonly clean = new Set<string>();

  constructor(private readonly deps: FlowBreakersDeps) {
    deps.feed.onChange(({ connectorId, flowName, fatalStreak, exhaustedStreak }) => {
      if (fatalStreak + exhaustedStreak > 0) this.clean.delete(keyOf(connectorId, flowName));
    });
  }

  /**
   * Why a unit may not start now; null: it may, after `claim`. A unit that is not held yet joins the scope of its flow, also when
   * the wait has passed: the oldest held one is the recovery attempt.
   * @param from the held scope that it is taken from
   */
  refusal(unit: Unit, flowName: string | null, from: HeldScope | null): StartRefusal | null {
    const breaker = flowName === null ? undefined : this.deps.feed.get(unit.envelope.connector_id, flowName);
    if (!breaker || flowName === null) return null;
    const now = this.deps.storeNow();
    const dueAt = this.isStopped(breaker) ? Math.min(breaker.retryAfterAt ?? Infinity, now + longestWaitMs) : now;
    const refused = { reason: 'breaker_open', flowName } as const;
    if (from && isNarrow(from.scope)) return dueAt > now ? { ...refused, scope: from.scope, dueAt } : null;
    // While a write of it may still take effect, nothing may overtake it in its lane (ADR 0035).
    if (from?.scope.kind === 'lane' && unit.mayLandUntil > now)
      return { ...refused, scope: from.scope, dueAt: Math.max(dueAt, unit.mayLandUntil) };
    return { ...refused, scope: flowScope(unit.envelope.lane, flowName), dueAt };
  }

  /** Whether a held unit that nothing refuses may start: always while its breaker is closed, else as the recovery attempt. */
  async claim(unit: Unit, flowName: string | null): Promise<boolean> {
    const { connector_id: connectorId } = unit.envelope;
    if (flowName === null || !this.deps.feed.get(connectorId, flowName)) return true;
    return this.deps.store.claimAttempt(connectorId, flowName, unit.keyText, attemptMs);
  }

  /** The outcome as far as it can change a breaker; null: it changes none. */
  telling(outcome: FlowOutcome | null): FlowOutcome | null {
    if (outcome === null) return null;
    const { connectorId, flowName, kind } = outcome;
    const key = keyOf(connectorId, flowName);
    const known = this.deps.feed.get(connectorId, flowName);
    if (kind === 'fatal' || kind === 'exhausted') this.clean.delete(key);
    if (kind === 'passed' || kind === 'failed' || kind === 'undecided') return known ? outcome : null;
    if (kind !== 'wrote') return outcome;
    if (!known && this.clean.has(key)) return null;
    if (this.clean.size >= maxClean) this.clean.clear();
    this.clean.add(key);
    return outcome;
  }

  /** The breakers as they were stored with outcomes of this runner. */
  learn(breakers: readonly FlowBreaker[]): void {
    for (const breaker of breakers) this.report(breaker);
    this.deps.feed.learn(breakers);
  }

  private report({ connectorId, flowName, state, reason, detail, retryAfterAt }: FlowBreaker): void {
    const before = this.deps.feed.get(connectorId, flowName)?.state ?? 'closed';
    if (state === before) return;
    this.deps.metrics.breaker(state);
    const fields = { connector_id: connectorId, flow: flowName };
    if (state === 'closed') return this.deps.logger.info('flow breaker closed', fields);
    this.deps.logger.warn('flow breaker open', {
      ...fields, reason, cause: detail, retry_at: retryAfterAt === null ? null : new Date(retryAfterAt).toISOString(),
    });
  }

  private isStopped(breaker: FlowBreaker): boolean {
    return isOpenInsideWait(breaker, this.deps.storeNow());
  }
}

/** Whether events of a flow need not wait any longer for a breaker that has changed: they may run, or one may try. */
export const mayGoOn = (breaker: FlowBreaker, now: number): boolean =>
  !isOpenInsideWait(breaker, now) && breaker.state !== 'half_open';
