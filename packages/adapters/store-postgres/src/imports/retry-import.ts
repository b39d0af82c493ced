import { isEnded } from '@sluice/contracts';
import { type BulkImport, type ImportStore, importWorkerName } from '@sluice/ports';
import type { Transaction } from '../config-client/config-client';
import { addTask } from '../tasks/tasks-in-transaction';
import { importColumns, importOf } from './import-sql';

/** Rows that cannot be read never run, and quarantined ones end runners. Those that were held too long have not ended yet. */
const again = `(r.status = 'parked' OR r.status = 'failed' AND r.error_code NOT IN ('invalid_row', 'quarantined')
  OR r.status = 'pending' AND r.turn = $2 AND $3::text = 'held_expired')`;

interface Found {
  status: BulkImport['status'];
  turn: number;
  stop: string | null;
  waiting: number;
}

/**
 * Begins another turn with the rows that failed. What a cancel left behind stays so: its rows have an earlier turn, and are
 * counted as cancelled from now on.
 * @param isShown condition that import `j` is shown
 */
export async function retryImport(
  tx: Transaction, isShown: string, connectorId: string, id: string,
): ReturnType<ImportStore['retry']> {
  const [found] = await tx.$queryRawUnsafe<Found[]>(
    `SELECT j.status, j.turn, j.stop, j.rows_total - j.rows_done - j.rows_failed - j.rows_skipped - j.rows_cancelled AS waiting
     FROM bulk_imports j WHERE j.connector_id = $1::uuid AND j.id = $2::uuid AND ${isShown} FOR UPDATE`,
    connectorId, id,
  );
  if (!found) return { ok: false, reason: 'not_found' };
  if (!isEnded(found.status)) return { ok: false, reason: 'job_running' };
  await tx.$executeRawUnsafe("SET LOCAL statement_timeout = '110s'");
  const [counted] = await tx.$queryRawUnsafe<{ rows: number; ended: number }[]>(
    `WITH old AS (SELECT r.line, r.status FROM bulk_import_rows r WHERE r.import_id = $1::uuid AND ${again}),
     marked AS (
       UPDATE bulk_import_rows r SET status = 'pending', turn = $2 + 1, crm_id = NULL, error = NULL, error_code = NULL
       FROM old WHERE r.import_id = $1::uuid AND r.line = old.line)
     SELECT count(*)::int AS rows, count(*) FILTER (WHERE status <> 'pending')::int AS ended FROM old`,
    id, found.turn, found.stop,
  );
  const { rows, ended } = counted!;
  if (rows === 0) return { ok: false, reason: 'nothing_to_retry' };
  const leftBehind = found.stop === 'cancelled' ? found.waiting : 0;
  const [after] = await tx.$queryRawUnsafe<unknown[]>(
    `UPDATE bulk_imports j SET status = 'running', stop = NULL, turn = turn + 1, cursor = 0, completed_at = NULL, error = NULL,
       held_since = NULL, rows_failed = rows_failed - $2, rows_cancelled = rows_cancelled + $3
     WHERE j.id = $1::uuid RETURNING ${importColumns}`,
    id, ended, leftBehind,
  );
  const begun = importOf(after);
  await addTask(tx, { worker: importWorkerName, key: id, tenant: begun.organizationId });
  return { ok: true, import: begun, rows };
}
