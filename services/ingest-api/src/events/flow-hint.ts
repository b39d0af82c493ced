import type { ConnectorChange } from '@sluice/contracts';
import type { Matcher } from '@sluice/flow-engine';
import type { FlowBreaker } from '@sluice/ports';
import type { EventRequest } from './check-event';
import { eventTypesOf } from './event-records';

/** Above this number of entities the sender is told to use a bulk import (docs/reference/events.md, Hints). */
const manyEntities = 50;

/**
 * What the sender probably did not intend; null when there is nothing.
 * @param flows of the active version; null: they cannot be read now, and the hint does not mention them
 * @param breakers of the connector that are not closed
 */
export function flowHint(
  request: EventRequest, connector: ConnectorChange, flows: Matcher | null, breakers: readonly FlowBreaker[] = [],
): string | null {
  const types = eventTypesOf(request);
  const hints = types.flatMap((type) => subscriptionHint(connector, flows, type) ?? []).slice(0, 5);
  if (flows && breakers.length > 0 && areAllStopped(types, flows, breakers)) {
    hints.push('Every subscribed flow is paused by its breaker and ready for recovery: the event is held.');
  }
  const { entities, recordKey } = request;
  if (entities && entities.length > manyEntities)
    hints.push(`${entities.length} entities in one request: above ${manyEntities}, use a bulk import.`);
  if (!entities && !recordKey && connector.organization.per_record_ordering && connector.ordering === 'record') {
    hints.push('Per-record ordering is enabled and the event has no recordKey: it is ordered with the whole connector.');
  }
  return hints.length > 0 ? hints.join(' ') : null;
}

/** Why an event of the event API reaches no enabled published flow; null when it does, or when the flows are unknown. */
function subscriptionHint(connector: ConnectorChange, flows: Matcher | null, eventType: string): string | null {
  if (connector.active_version === null) return 'The connector has no published version: publish a flow for this event.';
  if (!flows) return null;
  const match = flows('event_api', eventType);
  if (match.kind === 'none') return `No published flow is subscribed to "${eventType}".`;
  return match.kind === 'disabled' ? `Only the disabled flow "${match.flow.name}" is subscribed to "${eventType}".` : null;
}

/** Whether every flow that the types reach has a breaker that is not closed. */
function areAllStopped(types: readonly string[], flows: Matcher, breakers: readonly FlowBreaker[]): boolean {
  const names = types.flatMap((type) => {
    const match = flows('event_api', type);
    return match.kind === 'flow' ? [match.flow.name] : [];
  });
  return names.length > 0 && names.every((name) => breakers.some(({ flowName }) => flowName === name));
}
