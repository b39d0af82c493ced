import type { Verification, VerifiedRow } from '@sluice/ports';
import { iso } from '../../http/iso';

/** A verification as the API shows it. */
export const verificationView = (job: Verification) => ({
  id: job.id, entity: job.entity, status: job.status, checked: job.checked, matched: job.matched, mismatched: job.mismatched,
  missing: job.missing, not_verifiable: job.notVerifiable, error: job.error, created_at: iso(job.createdAt),
  completed_at: job.completedAt && iso(job.completedAt),
});

export const verifiedRowView = ({ externalId, crmId, status, properties }: VerifiedRow) => (
  { external_id: externalId, crm_id: crmId, status, properties }
);
