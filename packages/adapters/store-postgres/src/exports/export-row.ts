import type { DataExport } from '@sluice/ports';

/** Columns of an export as `exportOf` reads them. */
export const exportColumns = `e.id, e.organization_id, e.connector_id, e.status, e.requested_by, e.created_at, e.started_at,
  e.completed_at, e.expires_at, e.size_bytes, e.error, e.categories, e.rows_done, e.rows_total, e.package_key, e.generation`;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as pg and Prisma give them
export const exportOf = (row: any): DataExport => ({
  id: row.id,
  organizationId: row.organization_id,
  connectorId: row.connector_id,
  status: row.status,
  requestedBy: row.requested_by,
  createdAt: row.created_at,
  startedAt: row.started_at,
  completedAt: row.completed_at,
  expiresAt: row.expires_at,
  sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
  error: row.error,
  categories: row.categories,
  progress: { done: Number(row.rows_done), total: Number(row.rows_total) },
  packageKey: row.package_key,
});
