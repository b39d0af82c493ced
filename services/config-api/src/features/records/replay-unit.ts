import {
  connectorLane, eventsInbound, eventsOutbound, lanePartition, sourceTypes,
  type ConnectorChange, type EventEnvelope, type SourceType, type Topic,
} from '@sluice/contracts';
import type { AcceptedUnit, ReplaySource } from '@sluice/ports';

export interface Replay {
  /** Names the new run. */
  run: string;
  askedAt: Date;
  force: boolean;
  requestId: string;
}

/** Bytes assumed for a stored payload of unknown size: the largest that is accepted. */
const largestPayload = 10 * 1024 * 1024;

/** The accepted event as a unit of a new run, with the topic that it goes to. It keeps its accept time, which shows its age. */
export function replayUnit(
  { accepted, payload }: Pick<ReplaySource, 'accepted' | 'payload'>, connector: ConnectorChange, replay: Replay,
): { topic: Topic<EventEnvelope>; envelope: EventEnvelope } {
  const sourceType = sourceTypeOf(accepted);
  const { lane, epoch } = laneOf(accepted, connector);
  const envelope: EventEnvelope = {
    v: 1,
    event_id: accepted.eventId,
    entity_index: accepted.entityIndex,
    entities_total: accepted.entitiesTotal,
    organization_id: connector.organization_id,
    connector_id: connector.connector_id,
    revision: connector.revision,
    source_name: accepted.sourceName,
    source_type: sourceType,
    event_type: accepted.eventType,
    external_id: accepted.externalId,
    timestamp: accepted.timestamp ?? accepted.acceptedAt,
    store_id: accepted.storeId,
    accepted_at: accepted.acceptedAt,
    lane,
    run: replay.run,
    kind: 'replay',
    replayed_at: replay.askedAt.toISOString(),
    request_id: replay.requestId,
  };
  if (replay.force) envelope.forced = true;
  if (epoch > 0) envelope.ordering_epoch = epoch;
  if ('text' in payload) envelope.payload = JSON.parse(payload.text) as unknown;
  else envelope.payload_ref = { key: payload.ref.key, bytes: payload.ref.bytes ?? largestPayload };
  return { topic: sourceType === 'crm' ? eventsOutbound : eventsInbound, envelope };
}

/**
 * A connector that orders all its events together has one lane. Otherwise the event keeps its lane; an event of an older ordering
 * keeps its ordering epoch, so that the runner keeps both in order (ADR 0032).
 */
function laneOf(accepted: AcceptedUnit, connector: ConnectorChange): { lane: string; epoch: number } {
  if (connector.ordering === 'connector')
    return { lane: connectorLane(connector.connector_id), epoch: connector.ordering_epoch ?? 0 };
  return { lane: accepted.lane, epoch: accepted.orderingEpoch };
}

/** @param partitions of the topic */
export function partitionOf({ lane, connector_id: id }: EventEnvelope, { width }: ConnectorChange, partitions: number): number {
  return lanePartition(id, lane.slice(id.length + 1), width, partitions);
}

function sourceTypeOf({ sourceName, sourceType }: AcceptedUnit): SourceType {
  const type = sourceType ?? sourceName;
  return (sourceTypes as readonly string[]).includes(type) ? (type as SourceType) : 'event_api';
}
