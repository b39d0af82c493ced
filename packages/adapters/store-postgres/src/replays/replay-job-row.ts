import type { ReplayJob } from '@sluice/ports';

/** What was asked of a job, as its column `request` holds it. */
export type ReplayRequest = Pick<ReplayJob, 'match' | 'force' | 'repair' | 'dryRun' | 'ratePerSecond' | 'requestId'>;

export interface ReplayJobColumns {
  id: string;
  organization_id: string;
  connector_id: string;
  status: ReplayJob['status'];
  request: ReplayRequest;
  matched: bigint | string;
  replayed: bigint | string;
  skipped: bigint | string;
  failed: bigint | string;
  error: string | null;
  created_at: Date;
  completed_at: Date | null;
}

/** A row of replay_jobs as the port speaks of it. */
export const replayJobOf = (row: ReplayJobColumns): ReplayJob => ({
  id: row.id, organizationId: row.organization_id, connectorId: row.connector_id, status: row.status, ...row.request,
  matched: Number(row.matched), replayed: Number(row.replayed), skipped: Number(row.skipped), failed: Number(row.failed),
  error: row.error, createdAt: row.created_at, completedAt: row.completed_at,
});
