import { connectorLane, type ConnectorChange, type EventEnvelope, sourceTypes, type SourceType } from '@sluice/contracts';
import type { AcceptedUnit, ReplaySource } from '@sluice/ports';
import { placed, placementAt, type Placement, type PlannedUnit } from './plan-units';

/** A later run of an accepted event. */
export interface Replay {
  /** Names the new run. */
  run: string;
  /** It overwrites newer values, and no identity guard stops it. */
  force: boolean;
  requestId: string;
}

/** Bytes assumed for a stored payload of unknown size: the largest that is accepted. */
const largestPayload = 10 * 1024 * 1024;

/**
 * An accepted event as a unit of a new run. It keeps its accept time, which shows its age.
 * @param partitions of the topic of its source (`eventTopic`)
 */
export function planReplay(
  { accepted, payload, askedAt }: Pick<ReplaySource, 'accepted' | 'payload' | 'askedAt'>,
  connector: ConnectorChange,
  replay: Replay,
  partitions: number,
): PlannedUnit {
  const placement = placementAt(connector, askedAt.getTime());
  const { lane, epoch } = laneOf(accepted, connector, placement);
  const envelope: EventEnvelope = {
    v: 1,
    event_id: accepted.eventId,
    entity_index: accepted.entityIndex,
    entities_total: accepted.entitiesTotal,
    organization_id: connector.organization_id,
    connector_id: connector.connector_id,
    revision: connector.revision,
    source_name: accepted.sourceName,
    source_type: acceptedSourceType(accepted),
    event_type: accepted.eventType,
    external_id: accepted.externalId,
    timestamp: accepted.timestamp ?? accepted.acceptedAt,
    store_id: accepted.storeId,
    accepted_at: accepted.acceptedAt,
    lane,
    run: replay.run,
    kind: 'replay',
    replayed_at: askedAt.toISOString(),
    request_id: replay.requestId,
  };
  if (replay.force) envelope.forced = true;
  if (accepted.importRow) envelope.import_row = accepted.importRow;
  if (epoch > 0) envelope.ordering_epoch = epoch;
  if ('text' in payload) envelope.payload = JSON.parse(payload.text) as unknown;
  else envelope.payload_ref = { key: payload.ref.key, bytes: payload.ref.bytes ?? largestPayload };
  return placed(envelope, placement.width, partitions);
}

/**
 * A connector that orders all its events together has one lane. Otherwise the event keeps its lane; an event of an older ordering
 * keeps its ordering epoch, so that the runner keeps both in order (ADR 0032).
 */
function laneOf(accepted: AcceptedUnit, connector: ConnectorChange, { epoch }: Placement): { lane: string; epoch: number } {
  if (connector.ordering === 'connector') return { lane: connectorLane(connector.connector_id), epoch };
  return { lane: accepted.lane, epoch: accepted.orderingEpoch };
}

/** The kind of source that brought an accepted event. */
export function acceptedSourceType({ sourceName, sourceType }: Pick<AcceptedUnit, 'sourceName' | 'sourceType'>): SourceType {
  const type = sourceType ?? sourceName;
  return (sourceTypes as readonly string[]).includes(type) ? (type as SourceType) : 'event_api';
}
