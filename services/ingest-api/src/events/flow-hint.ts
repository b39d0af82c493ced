import type { ConnectorChange, FlowIndexEntry } from '@sluice/contracts';
import { compileMatcher, type Matcher } from '@sluice/flow-engine';
import type { EventRequest } from './check-event';
import { eventTypesOf } from './plan-event';

/** Above this a bulk import serves better (interface, Limits). */
const manyEntities = 50;

/** Compiled per published state; a change of the connector is a new object. */
const matchers = new WeakMap<readonly FlowIndexEntry[], Matcher>();

/** What is likely not as the sender means it (interface, Event plane: `hint`); null when nothing is. */
export function flowHint(request: EventRequest, connector: ConnectorChange): string | null {
  const hints = eventTypesOf(request).flatMap((type) => subscriptionHint(connector, type) ?? []).slice(0, 5);
  const { entities, recordKey } = request;
  if (entities && entities.length > manyEntities) hints.push(`${entities.length} entities in one request: above ${manyEntities}, use a bulk import.`);
  if (!entities && !recordKey && connector.organization.per_record_ordering && connector.ordering === 'record') {
    hints.push('Per-record ordering is enabled and the event has no recordKey: it is ordered with the whole connector.');
  }
  return hints.length > 0 ? hints.join(' ') : null;
}

/** Whether an event of the event API reaches an enabled published flow; null when it does. */
export function subscriptionHint(connector: ConnectorChange, eventType: string): string | null {
  if (connector.active_version === null) return 'The connector has no published version: publish a flow for this event.';
  const match = matcherOf(connector.flows)('event_api', eventType);
  if (match.kind === 'none') return `No published flow is subscribed to "${eventType}".`;
  return match.kind === 'disabled' ? `Only the disabled flow "${match.flow.name}" is subscribed to "${eventType}".` : null;
}

function matcherOf(flows: readonly FlowIndexEntry[]): Matcher {
  let matcher = matchers.get(flows);
  if (!matcher) {
    const sources = [...new Map(flows.map(({ source, source_type }) => [source, { name: source, type: source_type }])).values()];
    matcher = compileMatcher({ sources, flows: flows.map((flow) => ({ ...flow, steps: [] })) });
    matchers.set(flows, matcher);
  }
  return matcher;
}
