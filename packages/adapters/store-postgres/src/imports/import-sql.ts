import { type BulkImport, heldTooLong, type ImportedRow } from '@sluice/ports';

/** Rows of import `j` that wait in its present turn: those that no count has. */
const waiting = '(j.rows_total - j.rows_done - j.rows_failed - j.rows_skipped - j.rows_cancelled)';

/**
 * An import `j` as its owner sees it. Rows that wait change by hand of their import alone: when it is held, cancelled or its rows
 * were held too long, so are they, and none of them has to be written.
 */
export const importColumns = `j.id, j.organization_id, j.connector_id, j.entity, j.event_type, j.request_id, j.status, j.turn,
  j.rows_total, j.rows_done, j.held_since, j.error, j.created_at, j.completed_at,
  j.rows_failed + CASE WHEN j.stop = 'held_expired' THEN ${waiting} ELSE 0 END AS rows_failed,
  j.rows_skipped + j.rows_cancelled + CASE WHEN j.stop = 'cancelled' THEN ${waiting} ELSE 0 END AS rows_skipped,
  CASE WHEN j.status = 'held' THEN ${waiting} ELSE 0 END AS rows_held`;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as they come
export const importOf = (row: any): BulkImport => ({
  id: row.id,
  organizationId: row.organization_id,
  connectorId: row.connector_id,
  entity: row.entity,
  eventType: row.event_type,
  requestId: row.request_id,
  acceptedAt: row.created_at,
  status: row.status,
  rowsTotal: row.rows_total,
  rowsDone: row.rows_done,
  rowsFailed: row.rows_failed,
  rowsSkipped: row.rows_skipped,
  rowsHeld: row.rows_held,
  error: row.error,
  completedAt: row.completed_at,
});

const isLeftBehind = "(r.turn < j.turn OR j.stop = 'cancelled')";

/** The status of row `r` of import `j`. */
export const rowStatus = `CASE WHEN r.status <> 'pending' THEN r.status WHEN ${isLeftBehind} THEN 'skipped'
  WHEN j.stop = 'held_expired' THEN 'failed' WHEN j.status = 'held' THEN 'held' ELSE 'pending' END`;
export const rowErrorCode = `CASE WHEN r.status <> 'pending' THEN r.error_code WHEN ${isLeftBehind} THEN 'cancelled'
  WHEN j.stop = 'held_expired' THEN 'held_expired' END`;
export const rowError = `CASE WHEN r.status <> 'pending' THEN r.error WHEN ${isLeftBehind} THEN NULL
  WHEN j.stop = 'held_expired' THEN '${heldTooLong}' END`;

/** The rows of each status, said so that the index on it is used. */
export const rowsOfStatus: Readonly<Record<ImportedRow['status'], string>> = {
  completed: "r.status = 'completed'",
  parked: "r.status = 'parked'",
  skipped: `r.status IN ('skipped', 'pending') AND (r.status = 'skipped' OR ${isLeftBehind})`,
  failed: "r.status IN ('failed', 'pending') AND (r.status = 'failed' OR r.turn = j.turn AND j.stop = 'held_expired')",
  held: "r.status = 'pending' AND r.turn = j.turn AND j.stop IS NULL AND j.status = 'held'",
  pending: "r.status = 'pending' AND r.turn = j.turn AND j.stop IS NULL AND j.status <> 'held'",
};

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as they come
export const importedRowOf = (row: any): ImportedRow => ({
  line: row.line, externalId: row.external_id, status: row.status, crmId: row.crm_id, error: row.error, errorCode: row.error_code,
});
