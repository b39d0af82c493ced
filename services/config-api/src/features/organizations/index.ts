import type { HttpRoute } from '@sluice/service-kit';
import { deleteOrgApiKey } from './delete-org-api-key';
import type { OrganizationDeps } from './deps';
import { getAssistantSwitch } from './get-assistant-switch';
import { getAudit } from './get-audit';
import { getBillingMe } from './get-billing-me';
import { getOrg } from './get-org';
import { getOrgApiKeys } from './get-org-api-keys';
import { getOrgs } from './get-orgs';
import { patchOrg } from './patch-org';
import { postOrgApiKeys } from './post-org-api-keys';
import { postOrgClose } from './post-org-close';
import { postOrgReopen } from './post-org-reopen';
import { postOrgs } from './post-orgs';
import { putAssistantSwitch } from './put-assistant-switch';

/** The routes of organizations, their keys, audit log and plan. */
export const organizationRoutes = (deps: OrganizationDeps): HttpRoute[] => [
  deleteOrgApiKey(deps),
  getAssistantSwitch(deps),
  getAudit(deps),
  getBillingMe(deps),
  getOrg(deps),
  getOrgApiKeys(deps),
  getOrgs(deps),
  patchOrg(deps),
  postOrgApiKeys(deps),
  postOrgClose(deps),
  postOrgReopen(deps),
  postOrgs(deps),
  putAssistantSwitch(deps),
];
