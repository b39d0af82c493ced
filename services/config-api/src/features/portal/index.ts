import type { HttpRoute } from '@sluice/service-kit';
import type { PortalDeps } from './deps';
import { postProvision } from './post-provision';

/** The routes about a connector's portal. */
export const portalRoutes = (deps: PortalDeps): HttpRoute[] => [postProvision(deps)];
