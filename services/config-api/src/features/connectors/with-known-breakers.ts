import { setTimeout as sleep } from 'node:timers/promises';
import { breakersKnownMs } from '@sluice/connector-feed';
import { type BreakerStore, type FlowBreaker, stateInForce } from '@sluice/ports';

type Breakers = Pick<BreakerStore, 'ofConnectors' | 'retry' | 'closeAll' | 'force'>;

interface KnownBreakersDeps {
  /** Milliseconds since the epoch. */
  now(): number;
  wait(ms: number): Promise<unknown>;
}

/**
 * The same breakers, each answer no earlier than the event API knows what it says: it asks for changes, and would otherwise still
 * take the event of a caller who has read that the flow is open, and refuse that of one who has just set the connector active.
 * Only what changed within the last moments delays an answer (ADR 0345).
 */
export function withKnownBreakers<B extends Breakers>(
  breakers: B, { now, wait }: KnownBreakersDeps = { now: Date.now, wait: (ms) => sleep(ms) },
): B {
  /** After a change of a breaker that may have been open. */
  const untilKnown = (): Promise<unknown> => wait(breakersKnownMs);
  return {
    ...breakers,
    ofConnectors: async (ids) => {
      const found = await breakers.ofConnectors(ids);
      const age = now() - Math.max(...found.map(changedAt));
      if (age < breakersKnownMs) await wait(Math.min(breakersKnownMs, breakersKnownMs - age));
      return found;
    },
    retry: async (connectorId, flowName) => {
      await breakers.retry(connectorId, flowName);
      await untilKnown();
    },
    closeAll: async (connectorId) => {
      const before = await breakers.ofConnectors([connectorId]);
      await breakers.closeAll(connectorId);
      if (before.some((one) => stateInForce(one) !== 'closed')) await untilKnown();
    },
    force: async (connectorId, flowName, forced) => {
      const breaker = await breakers.force(connectorId, flowName, forced);
      await untilKnown();
      return breaker;
    },
  };
}

/** When it last opened or closed, by the store's clock; long ago where it never did. */
const changedAt = ({ closedAt, openedAt }: FlowBreaker): number => Math.max(openedAt ?? 0, closedAt ?? 0);
