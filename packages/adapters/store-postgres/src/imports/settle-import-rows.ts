import type { ImportRowEnd, Settlement } from '@sluice/ports';
import type { PoolClient } from 'pg';
import { bulkParameter, type BulkRow, bulkRows } from '../bulk-rows';
import { countEventsSql } from '../counts/event-minutes';

const ends = bulkRows({
  import_id: 'uuid', line: 'integer', turn: 'integer', status: 'text', crm_id: 'text', error: 'text', error_code: 'text',
});

/** In the order of their ids, so that two transactions cannot wait for each other. */
const lockSql = 'SELECT id FROM bulk_imports WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE';

/** The count of an import that has a row with this status and turn; a row that waits in the present turn has none. */
const countOf = (status: string, turn: string): string => `CASE ${status} WHEN 'completed' THEN 'done' WHEN 'skipped' THEN 'skipped'
  WHEN 'pending' THEN CASE WHEN ${turn} < j.turn THEN 'cancelled' END ELSE 'failed' END`;

/**
 * The event of a row in its turn ends a row that waits; a replay on its own changes one that has ended. Counts of the imports
 * follow, and an import that has ended is `completed` when no failed row is left.
 */
const settleSql = `
  WITH old AS MATERIALIZED (
    SELECT r.import_id, r.line, r.written, e.status, e.crm_id, e.error, e.error_code,
      ${countOf('r.status', 'r.turn')} AS before, ${countOf('e.status', 'j.turn')} AS after
    FROM (SELECT * FROM ${ends.from}) e JOIN bulk_imports j ON j.id = e.import_id
      JOIN bulk_import_rows r ON r.import_id = e.import_id AND r.line = e.line
    WHERE CASE WHEN e.turn IS NULL THEN r.status <> 'pending' ELSE r.status = 'pending' AND r.turn = e.turn END FOR UPDATE OF r
  ), changed AS (
    UPDATE bulk_import_rows r SET status = old.status, crm_id = old.crm_id, error = old.error, error_code = old.error_code,
      written = r.written OR old.status = 'completed',
      properties = CASE WHEN old.status IN ('completed', 'skipped') THEN NULL ELSE r.properties END
    FROM old WHERE r.import_id = old.import_id AND r.line = old.line
  ), totals AS (
    SELECT import_id, count(*) FILTER (WHERE after = 'done') - count(*) FILTER (WHERE before = 'done') AS done,
      count(*) FILTER (WHERE after = 'failed') - count(*) FILTER (WHERE before = 'failed') AS failed,
      count(*) FILTER (WHERE after = 'skipped') - count(*) FILTER (WHERE before = 'skipped') AS skipped,
      count(*) FILTER (WHERE before = 'cancelled') AS uncancelled,
      count(*) FILTER (WHERE after = 'done' AND NOT written) AS written
    FROM old GROUP BY import_id
  ), jobs AS (
    UPDATE bulk_imports j SET rows_done = rows_done + t.done, rows_failed = rows_failed + t.failed,
      rows_skipped = rows_skipped + t.skipped, rows_cancelled = rows_cancelled - t.uncancelled,
      rows_written = rows_written + t.written,
      status = CASE WHEN j.status NOT IN ('completed', 'completed_with_errors') THEN j.status
        WHEN j.rows_failed + t.failed > 0 OR j.stop = 'held_expired' THEN 'completed_with_errors' ELSE 'completed' END
    FROM totals t WHERE j.id = t.import_id
    RETURNING j.organization_id, j.connector_id, j.created_at, t.written
  )
  ${countEventsSql(`(
    SELECT min(organization_id::text)::uuid AS organization_id, connector_id, date_trunc('minute', created_at, 'UTC') AS at,
      'event_api' AS source_name, sum(written) AS events
    FROM jobs WHERE written > 0 GROUP BY 2, 3)`)}`;

/** Ends rows of bulk imports with their events. Rows are counted in the quota when they are written for the first time. */
export async function settleImportRows(client: PoolClient, settlements: readonly Settlement[]): Promise<void> {
  const rows = new Map<string, BulkRow>();
  for (const { importRow } of settlements) if (importRow) rows.set(`${importRow.import_id}/${importRow.line}`, bulkOf(importRow));
  if (rows.size === 0) return;
  const imports = [...new Set([...rows.values()].map(({ import_id: id }) => id))];
  await client.query({ name: 'settle-imports-lock', text: lockSql, values: [imports] });
  await client.query({ name: 'settle-import-rows', text: settleSql, values: [bulkParameter([...rows.values()])] });
}

const bulkOf = ({ import_id, line, turn, status, crmId, error, errorCode }: ImportRowEnd): BulkRow => (
  { import_id, line, turn, status, crm_id: crmId, error, error_code: errorCode }
);
