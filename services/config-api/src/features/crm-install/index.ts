import type { HttpRoute } from '@sluice/service-kit';
import type { CrmInstallDeps } from './deps';
import { getCrmCallback } from './get-crm-callback';
import { postInstallAttach } from './post-install-attach';

/** The routes of installs from the CRM's marketplace. */
export const crmInstallRoutes = (deps: CrmInstallDeps): HttpRoute[] => [getCrmCallback(deps), postInstallAttach(deps)];
