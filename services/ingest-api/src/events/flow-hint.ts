import type { ConnectorChange } from '@sluice/contracts';
import type { Matcher } from '@sluice/flow-engine';
import type { EventRequest } from './check-event';
import { eventTypesOf } from './event-records';

/** Above this number of entities the sender is told to use a bulk import (docs/reference/events.md, Hints). */
const manyEntities = 50;

/**
 * What the sender probably did not intend; null when there is nothing.
 * @param flows of the active version; null: they cannot be read now, and the hint does not mention them
 */
export function flowHint(request: EventRequest, connector: ConnectorChange, flows: Matcher | null): string | null {
  const hints = eventTypesOf(request).flatMap((type) => subscriptionHint(connector, flows, type) ?? []).slice(0, 5);
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
