import type { OrganizationRow } from '@sluice/ports';
import { iso, isoOrNull } from '../../http/iso';

/** An organization as an operator sees it. */
export const organizationView = (organization: OrganizationRow) => ({
  id: organization.id,
  name: organization.name,
  tier: organization.tier,
  state: organization.state,
  limits: organization.limits,
  per_record_ordering: organization.perRecordOrdering,
  write_cap_review: organization.writeCapReview,
  publish_review: organization.publishReview,
  trial_ends_at: isoOrNull(organization.trialEndsAt),
  created_at: iso(organization.createdAt),
});
