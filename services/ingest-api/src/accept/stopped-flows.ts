import type { BreakerFeed } from '@sluice/connector-feed';
import type { ConnectorChange } from '@sluice/contracts';
import type { BreakerOpen } from '@sluice/event-intake';
import { type FlowBreaker, isOpenInsideWait } from '@sluice/ports';
import type { FlowIndexes } from '../connectors/flow-indexes';

/** What is told of a flow that an operator stopped: nobody knows when it goes on. */
const forcedRetryMs = 300_000;

/**
 * The flows that event types reach when every one of them is stopped inside of its wait; null: at least one is not, or none is
 * reached. Asks for flows only when the connector has a breaker that is not closed.
 */
export type StoppedFlows = (connector: ConnectorChange, eventTypes: readonly string[]) => Promise<BreakerOpen | null> | null;

export function createStoppedFlows(
  { breakers, flows }: { breakers: Pick<BreakerFeed, 'of' | 'now'>; flows: Pick<FlowIndexes, 'of'> },
): StoppedFlows {
  return (connector, eventTypes) => {
    const notClosed = breakers.of(connector.connector_id);
    return notClosed.length === 0 ? null : blocked(connector, eventTypes, notClosed);
  };

  async function blocked(
    connector: ConnectorChange, eventTypes: readonly string[], notClosed: readonly FlowBreaker[],
  ): Promise<BreakerOpen | null> {
    const matcher = await flows.of(connector);
    if (!matcher) return null;
    const now = breakers.now();
    const stopped = new Map<string, FlowBreaker>();
    for (const type of eventTypes) {
      const match = matcher('event_api', type);
      if (match.kind !== 'flow') continue;
      const breaker = notClosed.find(({ flowName }) => flowName === match.flow.name);
      if (!breaker || !isOpenInsideWait(breaker, now)) return null;
      stopped.set(breaker.flowName, breaker);
    }
    if (stopped.size === 0) return null;
    return {
      why: 'breaker',
      flows: [...stopped.values()].map((breaker) => ({
        name: breaker.flowName,
        reason: breaker.forced === 'open' ? 'manual' : (breaker.reason ?? 'manual'),
        detail: breaker.detail,
        retryAfterMs: breaker.forced === 'open' ? forcedRetryMs : Math.max(0, (breaker.retryAfterAt ?? now) - now),
      })),
    };
  }
}
