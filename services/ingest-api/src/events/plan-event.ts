import { connectorLane, type ConnectorChange, entityLane, type EventEnvelope, lanePartition, recordKeyLane } from '@sluice/contracts';
import type { EventRequest } from './check-event';

/** One unit of an accepted request and where it goes. */
export interface PlannedUnit {
  partition: number;
  envelope: EventEnvelope;
}

/** What a request gets on its way in. */
export interface Stamp {
  eventId: string;
  aliases: string[];
  /** Milliseconds since the epoch. */
  acceptedAt: number;
  requestId: string;
}

/** Ordering domain of a unit: its lane, and the record part of it that spreads over a wide connector's partitions. */
export interface LaneChoice {
  lane: string;
  record: string;
}

/** One envelope per record, each on the partition of its lane. */
export function planEvent(request: EventRequest, connector: ConnectorChange, stamp: Stamp, partitions: number): PlannedUnit[] {
  const acceptedAt = new Date(stamp.acceptedAt).toISOString();
  const entities = request.entities;
  const unit = (index: number, eventType: string, externalId: string | null, payload: unknown): PlannedUnit => {
    const { lane, record } = laneOf(request, connector, index);
    const envelope: EventEnvelope = {
      v: 1, event_id: stamp.eventId, entity_index: index, entities_total: entities?.length ?? 1,
      organization_id: connector.organization_id, connector_id: connector.connector_id, revision: connector.revision,
      source_name: 'event_api', source_type: 'event_api', event_type: eventType, external_id: externalId,
      timestamp: request.timestamp ?? acceptedAt, store_id: request.storeId ?? connector.default_store_id,
      accepted_at: acceptedAt, lane, run: 'first', kind: 'live', payload, request_id: stamp.requestId,
    };
    if (connector.ordering_epoch) envelope.ordering_epoch = connector.ordering_epoch;
    if (stamp.aliases.length > 0) envelope.aliases = stamp.aliases;
    return { partition: lanePartition(connector.connector_id, record, connector.width, partitions), envelope };
  };
  if (!entities) return [unit(0, request.event, null, request.data)];
  return entities.map(({ type, externalObjectId, properties }, index) => unit(index, `${type}_synced`, externalObjectId, properties));
}

/**
 * `entities` are ordered per record; `data` per record key where the organization has per-record ordering, else with the
 * whole connector. A connector may order all its events together (docs/reference/events.md, Ordering).
 */
export function laneOf(request: EventRequest, connector: ConnectorChange, index: number): LaneChoice {
  const id = connector.connector_id;
  const entity = request.entities?.[index];
  if (connector.ordering === 'connector') return { lane: connectorLane(id), record: '' };
  if (entity) return { lane: entityLane(id, entity.type, entity.externalObjectId), record: `${entity.type}:${entity.externalObjectId}` };
  if (request.recordKey && connector.organization.per_record_ordering) return { lane: recordKeyLane(id, request.recordKey), record: request.recordKey };
  return { lane: connectorLane(id), record: '' };
}

/** Event types that a request reaches flows with, each once. */
export function eventTypesOf(request: EventRequest): string[] {
  return request.entities ? [...new Set(request.entities.map(({ type }) => `${type}_synced`))] : [request.event];
}
