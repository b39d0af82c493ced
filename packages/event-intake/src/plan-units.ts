import {
  connectorLane,
  type ConnectorChange,
  entityLane,
  type EnvelopeKind,
  type EventEnvelope,
  type ImportRow,
  lanePartition,
  recordKeyLane,
  type SourceType,
} from '@sluice/contracts';

/** One record that comes in. */
export interface IntakeRecord {
  /** Concrete type, by which flows are found. */
  eventType: string;
  /** Its id in the source system. */
  externalId: string | null;
  /** The type of the record. Where it is given, each such record is ordered on its own, by its id or else its key. */
  entityType: string | null;
  /** Orders a record without `entityType` where the organization has per-record ordering. */
  recordKey: string | null;
  payload: unknown;
  /** The row of a bulk import that it stands for. */
  importRow?: ImportRow;
}

/** Where records come from and why they run. */
export interface IntakeOrigin {
  /** The connector's source by name, and its kind. */
  source: { name: string; type: SourceType };
  /** 'first', or the id of a later run. */
  run: string;
  /** Live events are ordered by their lane alone; all others write nothing over something newer. */
  kind: EnvelopeKind;
  /** When a later run was asked for: from then on it may wait as long as any event. */
  askedAt?: Date;
}

/** What is accepted under one event id. */
export interface IntakeEvent {
  eventId: string;
  aliases: string[];
  /** Milliseconds since the epoch. */
  acceptedAt: number;
  requestId: string;
  /** Business time, ISO 8601 UTC; null: the accept time. */
  timestamp: string | null;
  /** null: the connector's default. */
  storeId: string | null;
  records: readonly IntakeRecord[];
}

/** One unit of an accepted event and where it goes. */
export interface PlannedUnit {
  partition: number;
  envelope: EventEnvelope;
}

/**
 * One envelope per record, each on the partition of its lane.
 * @param partitions of the topic that the units will be published to
 */
export function planUnits(
  event: IntakeEvent,
  { source, run, kind, askedAt }: IntakeOrigin,
  connector: ConnectorChange,
  partitions: number,
): PlannedUnit[] {
  const acceptedAt = new Date(event.acceptedAt).toISOString();
  const { epoch, width } = placementAt(connector, event.acceptedAt);
  return event.records.map((record, index) => {
    const envelope: EventEnvelope = {
      v: 1,
      event_id: event.eventId,
      entity_index: index,
      entities_total: event.records.length,
      organization_id: connector.organization_id,
      connector_id: connector.connector_id,
      revision: connector.revision,
      source_name: source.name,
      source_type: source.type,
      event_type: record.eventType,
      external_id: record.externalId,
      timestamp: event.timestamp ?? acceptedAt,
      store_id: event.storeId ?? connector.default_store_id,
      accepted_at: acceptedAt,
      lane: laneOf(record, connector),
      run,
      kind,
      payload: record.payload,
      request_id: event.requestId,
    };
    if (epoch > 0) envelope.ordering_epoch = epoch;
    if (event.aliases.length > 0) envelope.aliases = event.aliases;
    if (record.importRow) envelope.import_row = record.importRow;
    if (askedAt) envelope.replayed_at = askedAt.toISOString();
    return placed(envelope, width, partitions);
  });
}

/** By which width a connector's events are placed, and which ordering epoch they carry. */
export interface Placement {
  width: number;
  epoch: number;
}

/**
 * The placement at a time. A raised width counts from a moment on that lies ahead when acceptors learn of it, so that all of them
 * begin with it at once (ADR 0134).
 * @param now milliseconds since the epoch
 */
export function placementAt({ ordering_epoch: epoch = 0, width, width_raise: raise }: ConnectorChange, now: number): Placement {
  return raise && now < Date.parse(raise.from) ? { width: raise.before, epoch: epoch - 1 } : { width, epoch };
}

/** The unit on the partition of its lane. */
export function placed(envelope: EventEnvelope, width: number, partitions: number): PlannedUnit {
  const { connector_id: id, lane } = envelope;
  if (width > 1) envelope.width = width;
  // What follows the connector in the name of a lane spreads the records of a wide connector over its partitions.
  return { partition: lanePartition(id, lane.slice(id.length + 1), width, partitions), envelope };
}

/**
 * Records of a type are ordered each on their own; others by their key where the organization has per-record ordering, else with
 * the whole connector. A connector may order all its events together (docs/reference/events.md, Ordering).
 */
function laneOf({ entityType, externalId, recordKey }: IntakeRecord, connector: ConnectorChange): string {
  const id = connector.connector_id;
  if (connector.ordering === 'connector') return connectorLane(id);
  const key = externalId ?? recordKey;
  if (entityType !== null && key !== null) return entityLane(id, entityType, key);
  if (recordKey && connector.organization.per_record_ordering) return recordKeyLane(id, recordKey);
  return connectorLane(id);
}
