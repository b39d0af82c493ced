import type { ConnectorChange } from './connector-change';
import type { EventEnvelope } from './events/event-envelope';

/** A topic as a typed value: its name, how it is created, and the key of a message. */
export interface Topic<T> {
  name: string;
  /** `delete` keeps messages for `retentionMs`, `compact` the newest per key. */
  cleanup: 'delete' | 'compact';
  /** Milliseconds; ignored for compacted topics. */
  retentionMs: number;
  /** Partitions when the topic is first created. Those of a running cluster never change (docs/reference/events.md, Ordering). */
  partitions: number;
  key(value: T): string;
}

const day = 86_400_000;

/** Events on their way into the CRM (every source but the CRM's own journal). */
export const eventsInbound: Topic<EventEnvelope> = {
  name: 'events.inbound', cleanup: 'delete', retentionMs: 15 * day, partitions: 24, key: (event) => event.lane,
};

/** Events on their way out of the CRM (from the CRM's journal). */
export const eventsOutbound: Topic<EventEnvelope> = {
  name: 'events.outbound', cleanup: 'delete', retentionMs: 15 * day, partitions: 24, key: (event) => event.lane,
};

/** The newest state of every connector. One partition: a reader sees changes in the order they were committed. */
export const connectorChanges: Topic<ConnectorChange> = {
  name: 'connector.changes', cleanup: 'compact', retentionMs: 0, partitions: 1, key: (change) => change.connector_id,
};

export const allTopics = [eventsInbound, eventsOutbound, connectorChanges] as const;

/** Reads events and runs their flows. */
export const flowRunnerGroup = 'flow-runner';
/** The consumer group that reads events and writes the event index (docs/architecture.md, From the request to the CRM call). */
export const eventIndexGroup = 'event-index';

/** Every group that reads events: whose lag an operator watches. */
export const consumerGroups = [eventsInbound, eventsOutbound].flatMap(({ name }) =>
  [flowRunnerGroup, eventIndexGroup].map((group) => ({ topic: name, group })));
