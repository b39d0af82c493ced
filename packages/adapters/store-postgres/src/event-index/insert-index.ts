import type { IndexRow } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, type BulkRow, bulkRows, storable } from '../bulk-rows';
import { countEventsSql } from '../counts/event-minutes';
import { retried } from '../transaction';
import { importRowText } from '../import-row';

const key = { event_id: 'text', entity_index: 'integer', run: 'text', accepted_at: 'timestamptz' } as const;
const indexColumns = {
  ...key,
  entities_total: 'integer',
  organization_id: 'uuid',
  connector_id: 'uuid',
  source_name: 'text',
  event_type: 'text',
  external_id: 'text',
  lane: 'text',
  kind: 'text',
  payload_ref: 'text',
  aliases: 'text[]',
  payload_bytes: 'integer',
  source_type: 'text',
  business_time: 'text',
  store_id: 'text',
  ordering_epoch: 'integer',
  import_row: 'text',
} as const;

const index = bulkRows(indexColumns);
const payloads = bulkRows({ ...key, payload: 'json' }, 2);

const insertSql = `
  WITH indexed AS (
    INSERT INTO event_index (${index.names}) SELECT ${index.values} FROM ${index.from} ON CONFLICT DO NOTHING
    RETURNING organization_id, connector_id, accepted_at, source_name, run
  ), counted AS (${countEventsSql(`(
    SELECT min(organization_id::text)::uuid AS organization_id, connector_id, date_trunc('minute', accepted_at, 'UTC') AS at,
      source_name, count(*) AS events
    FROM indexed WHERE run = 'first' GROUP BY 2, 3, 4)`)})
  INSERT INTO event_payloads (${payloads.names}) SELECT ${payloads.values} FROM ${payloads.from} ON CONFLICT DO NOTHING`;

/** Writes index rows and their payloads in one statement; what is there already stays as it is. */
export async function insertIndex(pool: Pool, rows: readonly IndexRow[]): Promise<void> {
  const withPayload = rows.flatMap((row) => (row.payload === null ? [] : [{ ...keyOf(row), payload: jsonText(row.payload) }]));
  const values = [bulkParameter(rows.map(indexOf)), bulkParameter(withPayload)];
  await retried(() => pool.query({ name: 'write-index', text: insertSql, values }));
}

const keyOf = (row: IndexRow): BulkRow => ({
  event_id: row.eventId,
  entity_index: row.entityIndex,
  run: row.run,
  accepted_at: row.acceptedAt,
});

const indexOf = (row: IndexRow): BulkRow => ({
  ...keyOf(row),
  entities_total: row.entitiesTotal,
  organization_id: row.organizationId,
  connector_id: row.connectorId,
  source_name: row.sourceName,
  event_type: row.eventType,
  external_id: row.externalId,
  lane: row.lane,
  kind: row.kind,
  payload_ref: row.payloadRef,
  aliases: JSON.stringify(row.aliases.map(storable)),
  payload_bytes: row.payloadBytes,
  source_type: row.sourceType,
  business_time: row.timestamp,
  store_id: row.storeId,
  ordering_epoch: row.orderingEpoch,
  import_row: importRowText(row.importRow),
});

/** ingest-api never accepts a payload that is no JSON. It is stored as a JSON string, so that it does not stop the index. */
function jsonText(payload: Buffer): string {
  const text = payload.toString('utf8');
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
