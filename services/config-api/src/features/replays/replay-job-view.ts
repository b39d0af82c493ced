import type { ReplayJob } from '@sluice/ports';
import { iso } from '../../http/iso';

/** A replay job as the API shows it. */
export const replayJobView = (job: ReplayJob) => ({
  id: job.id, status: job.status, matched: job.matched, replayed: job.replayed, skipped: job.skipped, failed: job.failed,
  dry_run: job.dryRun, force: job.force, rate_per_second: job.ratePerSecond, error: job.error, created_at: iso(job.createdAt),
  completed_at: job.completedAt && iso(job.completedAt),
});
