import type { IndexedRange, IndexPosition, IndexRow } from '@sluice/ports';
import type { Pool } from 'pg';
import { type CopyRows, copyRows, createCopyRows } from '../copy-rows';
import { countEvents } from '../counts/event-minutes';
import { inTransaction } from '../transaction';
import { keepPositions } from './index-positions';
import { importRowText } from '../import-row';
import { insertIndex } from './insert-index';

const indexTable = `event_index (event_id, entity_index, run, accepted_at, entities_total, organization_id, connector_id,
  source_name, event_type, external_id, lane, kind, payload_ref, aliases, payload_bytes, source_type, business_time, store_id,
  ordering_epoch, import_row)`;
const payloadTable = 'event_payloads (event_id, entity_index, run, accepted_at, payload)';
/** Bytes of a row with short texts, its payload apart: what a buffer begins with. */
const [usualRow, usualKey] = [400, 100];

/** A row that exists already; a value that its column does not accept. */
const forInsert = /^(?:23505|22...)$/;

/**
 * Writes index rows and their payloads, all or none; existing rows are not changed. Most batches have only new rows, and COPY
 * costs a third of a statement with parameters; a batch that is read again, or has values that COPY refuses, is written by
 * `insertIndex` (ADR 0021).
 */
export async function writeIndex(
  pool: Pool,
  rows: readonly IndexRow[],
  ranges: readonly IndexedRange[] = [],
): Promise<IndexPosition[]> {
  if (rows.length + ranges.length === 0) return [];
  const withPayload = rows.filter(({ payload }) => payload !== null);
  try {
    return await inTransaction(pool, async (client) => {
      if (rows.length > 0) await copyRows(client, indexTable, indexBytes(rows));
      if (withPayload.length > 0) await copyRows(client, payloadTable, payloadBytes(withPayload));
      await countEvents(client, rows);
      return keepPositions(client, ranges);
    });
  } catch (error) {
    if (!forInsert.test(String((error as { code?: unknown }).code))) throw error;
    await insertIndex(pool, rows);
    return inTransaction(pool, (client) => keepPositions(client, ranges));
  }
}

function indexBytes(rows: readonly IndexRow[]): Buffer {
  const copy = createCopyRows(rows.length * usualRow);
  for (const row of rows) {
    copy.row(20);
    key(copy, row);
    copy.int(row.entitiesTotal);
    copy.uuid(row.organizationId);
    copy.uuid(row.connectorId);
    copy.text(row.sourceName);
    copy.text(row.eventType);
    copy.text(row.externalId);
    copy.text(row.lane);
    copy.text(row.kind);
    copy.text(row.payloadRef);
    copy.texts(row.aliases);
    copy.int(row.payloadBytes);
    copy.text(row.sourceType);
    copy.text(row.timestamp);
    copy.text(row.storeId);
    copy.int(row.orderingEpoch);
    copy.text(importRowText(row.importRow));
  }
  return copy.end();
}

function payloadBytes(rows: readonly IndexRow[]): Buffer {
  const copy = createCopyRows(rows.reduce((sum, { payload }) => sum + usualKey + (payload?.length ?? 0), 0));
  for (const row of rows) {
    copy.row(5);
    key(copy, row);
    copy.bytes(row.payload as Buffer);
  }
  return copy.end();
}

function key(copy: CopyRows, row: IndexRow): void {
  copy.text(row.eventId);
  copy.int(row.entityIndex);
  copy.text(row.run);
  copy.time(Date.parse(row.acceptedAt));
}
