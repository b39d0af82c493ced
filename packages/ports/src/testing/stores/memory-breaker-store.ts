import {
  afterOutcome, type BreakerSettings, type BreakerStore, claimed, type FlowBreaker, type FlowOutcome,
  isRateTooHigh, isTurnOf, newBreaker, opened, rateSince, reactivated, retriedNow, stateInForce,
} from '../../flow-breaker';

export interface MemoryBreakerStore extends BreakerStore {
  /** Records of a flow that ended, for its failure rate. */
  ended(connectorId: string, flowName: string, count: number): void;
  /** As `note`, with the breakers of all those flows in the answer. */
  noted(outcomes: readonly FlowOutcome[], settings: BreakerSettings): FlowBreaker[];
}

/**
 * A breaker store in memory.
 * @param now its clock, milliseconds since the epoch
 * @param oldestHeld the oldest unit that is held for a flow and due
 */
export function createMemoryBreakerStore(
  now: () => number = Date.now, oldestHeld: (connectorId: string, flowName: string) => string | null = () => null,
): MemoryBreakerStore {
  const breakers = new Map<string, FlowBreaker & { changedAt: number }>();
  const fatal: { key: string; at: number }[] = [];
  const ends: { key: string; at: number; count: number }[] = [];
  const keyOf = (connectorId: string, flowName: string): string => JSON.stringify([connectorId, flowName]);
  const get = (connectorId: string, flowName: string): FlowBreaker =>
    breakers.get(keyOf(connectorId, flowName)) ?? newBreaker(connectorId, flowName);
  const put = (breaker: FlowBreaker): FlowBreaker => {
    breakers.set(keyOf(breaker.connectorId, breaker.flowName), { ...breaker, changedAt: now() });
    return breaker;
  };
  const plain = ({ changedAt: _, ...breaker }: FlowBreaker & { changedAt: number }): FlowBreaker => breaker;
  const all = (): (FlowBreaker & { changedAt: number })[] => [...breakers.values()];
  const isNotable = (breaker: FlowBreaker): boolean => breaker.state !== 'closed' || breaker.forced !== null;
  const rateOf = (breaker: FlowBreaker): { fatal: number; executions: number } => {
    const key = keyOf(breaker.connectorId, breaker.flowName);
    const since = rateSince(breaker, now());
    const failures = fatal.filter((one) => one.key === key && one.at >= since).length;
    const ended = ends.filter((one) => one.key === key && one.at >= since).reduce((sum, { count }) => sum + count, 0);
    return { fatal: failures, executions: failures + ended };
  };
  function noted(outcomes: readonly FlowOutcome[], settings: BreakerSettings): FlowBreaker[] {
    for (const outcome of outcomes) {
      const { connectorId, flowName, kind } = outcome;
      if (kind === 'fatal') fatal.push({ key: keyOf(connectorId, flowName), at: now() });
      put(afterOutcome(get(connectorId, flowName), outcome, now(), settings));
    }
    const touched = new Map(outcomes.map(({ connectorId, flowName }) =>
      [keyOf(connectorId, flowName), get(connectorId, flowName)]));
    return [...touched.values()].map((one) => plain({ ...one, changedAt: 0 }));
  }

  return {
    changed: async (since) => ({
      breakers: all().filter((one) => (since === null ? isNotable(one) : one.changedAt >= since)).map(plain), storeMs: now(),
    }),
    ofConnectors: async (ids) => all().filter(({ connectorId }) => ids.includes(connectorId)).map(plain),
    noted,
    note: async (outcomes, settings) => noted(outcomes, settings).filter(({ state }) => state !== 'closed'),
    claimAttempt: async (connectorId, flowName, unit, attemptMs) => {
      const before = get(connectorId, flowName);
      const isTurn = isTurnOf(unit, oldestHeld(connectorId, flowName), before, now());
      const after = isTurn ? claimed(before, unit, now(), attemptMs) : null;
      if (after) put(after);
      return after !== null;
    },
    retry: async (connectorId, flowName) => void put(retriedNow(get(connectorId, flowName), now())),
    closeAll: async (connectorId) => {
      for (const breaker of all().filter((one) => one.connectorId === connectorId)) {
        put(plain({ ...reactivated(plain(breaker), now()), changedAt: 0 }));
      }
    },
    force: async (connectorId, flowName, forced) => put({ ...get(connectorId, flowName), forced }),
    checkRates: async (settings) => all().map(plain).flatMap((breaker) => {
      if (breaker.state !== 'closed' || breaker.forced !== null || !isRateTooHigh(rateOf(breaker))) return [];
      const { fatal: failures, executions } = rateOf(breaker);
      return [put(opened(breaker, 'failure_rate', `${failures} of ${executions} executions failed.`, now(), settings))];
    }),
    counts: async () => {
      const counts: Partial<Record<FlowBreaker['state'], number>> = {};
      for (const breaker of all()) counts[stateInForce(breaker)] = (counts[stateInForce(breaker)] ?? 0) + 1;
      return counts;
    },
    ended: (connectorId, flowName, count) => void ends.push({ key: keyOf(connectorId, flowName), at: now(), count }),
  };
}
