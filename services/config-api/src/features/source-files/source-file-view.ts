import type { SourceFile } from '@sluice/ports';
import { iso, isoOrNull } from '../../http/iso';

/** A file as the API shows it. */
export const sourceFileView = (file: SourceFile) => ({
  id: file.id,
  filename: file.filename,
  status: file.status,
  bytes: file.bytes,
  rows_total: file.rowsTotal,
  rows_queued: file.rowsQueued,
  rows_discarded: file.rowsDiscarded,
  error: file.error,
  received_at: iso(file.receivedAt),
  completed_at: isoOrNull(file.completedAt),
});
