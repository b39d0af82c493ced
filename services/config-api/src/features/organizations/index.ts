import type { HttpRoute } from '@sluice/service-kit';
import { deleteOrgApiKey } from './delete-org-api-key';
import type { OrganizationDeps } from './deps';
import { getAudit } from './get-audit';
import { getBillingMe } from './get-billing-me';
import { getOrgApiKeys } from './get-org-api-keys';
import { postOrgApiKeys } from './post-org-api-keys';

/** The routes of an organization's keys, audit log and plan. */
export const organizationRoutes = (deps: OrganizationDeps): HttpRoute[] => [
  deleteOrgApiKey(deps),
  getAudit(deps),
  getBillingMe(deps),
  getOrgApiKeys(deps),
  postOrgApiKeys(deps),
];
