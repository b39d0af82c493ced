import type { SplitEnvelope } from '@sluice/contracts';
import type { IndexRow } from '@sluice/ports';

/** The index row of an accepted unit. */
export function indexRow({ envelope, payload }: SplitEnvelope): IndexRow {
  return {
    eventId: envelope.event_id,
    entityIndex: envelope.entity_index,
    entitiesTotal: envelope.entities_total,
    organizationId: envelope.organization_id,
    connectorId: envelope.connector_id,
    sourceName: envelope.source_name,
    eventType: envelope.event_type,
    externalId: envelope.external_id,
    lane: envelope.lane,
    kind: envelope.kind,
    run: envelope.run,
    acceptedAt: envelope.accepted_at,
    aliases: envelope.aliases ?? [],
    payload,
    payloadRef: envelope.payload_ref?.key ?? null,
    payloadBytes: envelope.payload_ref?.bytes ?? null,
    sourceType: envelope.source_type === envelope.source_name ? null : envelope.source_type,
    timestamp: envelope.timestamp === envelope.accepted_at ? null : envelope.timestamp,
    storeId: envelope.store_id,
    orderingEpoch: envelope.ordering_epoch ?? null,
    importRow: envelope.import_row ?? null,
  };
}
