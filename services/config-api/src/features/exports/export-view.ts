import type { DataExport } from '@sluice/ports';
import { iso } from '../../http/iso';

const isoOrNull = (time: Date | null): string | null => (time === null ? null : iso(time));

/** An export as the API shows it. */
export const exportView = (one: DataExport) => ({
  id: one.id,
  scope: one.connectorId === null ? 'organization' : 'connector',
  connector_id: one.connectorId,
  status: one.status,
  requested_by: one.requestedBy,
  created_at: iso(one.createdAt),
  started_at: isoOrNull(one.startedAt),
  completed_at: isoOrNull(one.completedAt),
  expires_at: isoOrNull(one.expiresAt),
  size_bytes: one.sizeBytes,
  error: one.error,
  categories: one.categories,
  progress: one.progress,
});
