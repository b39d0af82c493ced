import type { OrganizationRow, Role } from '@sluice/ports';
import { iso } from '../../http/iso';

/** An organization as its members see it. */
export const organizationView = (organization: OrganizationRow, role: Role | null) => ({
  id: organization.id,
  name: organization.name,
  tier: organization.tier,
  state: organization.state,
  role,
  publish_review: organization.publishReview,
  ordering: organization.perRecordOrdering ? 'record' : 'connector',
  created_at: iso(organization.createdAt),
  ...(organization.closesAt !== null && { closes_at: iso(organization.closesAt) }),
});

/** An organization in a list. */
export const listedOrganization = (
  { id, name, tier, state }: Pick<OrganizationRow, 'id' | 'name' | 'tier' | 'state'>, role: Role | null,
) =>
  ({ id, name, role, tier, state });
