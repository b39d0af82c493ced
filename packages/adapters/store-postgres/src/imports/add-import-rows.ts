import type { NewImportRow } from '@sluice/ports';
import type { Pool } from 'pg';
import { copyRows, createCopyRows } from '../copy-rows';
import { inTransaction } from '../transaction';

const table = 'bulk_import_rows (import_id, line, external_id, properties, event_id, status, turn, error, error_code)';
/** Bytes of a row, its properties apart: what a buffer begins with. */
const usualRow = 200;

/** Stores rows of an import, all of them or none; those that cannot be read have ended. */
export async function addImportRows(pool: Pool, id: string, rows: readonly NewImportRow[]): Promise<void> {
  if (rows.length === 0) return;
  await inTransaction(pool, (client) => copyRows(client, table, bytesOf(id, rows)));
}

function bytesOf(id: string, rows: readonly NewImportRow[]): Buffer {
  const copy = createCopyRows(rows.reduce((sum, { event }) => sum + usualRow + (event?.properties.length ?? 0), 0));
  for (const { line, externalId, event, problem } of rows) {
    copy.row(9);
    copy.uuid(id);
    copy.int(line);
    copy.text(externalId);
    copy.text(event && event.properties);
    copy.text(event && event.id);
    copy.text(event ? 'pending' : 'failed');
    copy.int(1);
    copy.text(event ? null : problem);
    copy.text(event ? null : 'invalid_row');
  }
  return copy.end();
}
