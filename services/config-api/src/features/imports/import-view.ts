import type { BulkImport, ImportedRow } from '@sluice/ports';
import { iso } from '../../http/iso';

/** A bulk import as the API shows it. */
export const importView = (job: BulkImport) => ({
  id: job.id, entity: job.entity, event_type: job.eventType, status: job.status, rows_total: job.rowsTotal,
  rows_done: job.rowsDone, rows_failed: job.rowsFailed, rows_skipped: job.rowsSkipped, rows_held: job.rowsHeld, error: job.error,
  created_at: iso(job.acceptedAt), completed_at: job.completedAt && iso(job.completedAt),
});

export const importRowView = ({ line, externalId, status, crmId, error, errorCode }: ImportedRow) => (
  { line, external_id: externalId, status, crm_id: crmId, error, error_code: errorCode }
);
