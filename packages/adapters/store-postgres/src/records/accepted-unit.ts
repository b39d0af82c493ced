import type { AcceptedUnit } from '@sluice/ports';
import { importRowOf } from '../import-row';

/** A row of event_index as the port speaks of it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as they come
export const acceptedOf = (row: any): AcceptedUnit => ({
  eventId: row.event_id,
  entityIndex: row.entity_index,
  entitiesTotal: row.entities_total,
  sourceName: row.source_name,
  sourceType: row.source_type,
  eventType: row.event_type,
  externalId: row.external_id,
  lane: row.lane,
  acceptedAt: row.accepted_at.toISOString(),
  timestamp: row.business_time,
  storeId: row.store_id,
  orderingEpoch: row.ordering_epoch ?? 0,
  importRow: importRowOf(row.import_row),
});
