import type { HttpRoute } from '@sluice/service-kit';
import type { PortalDeps } from './deps';
import { getCrmAssociationTypes } from './get-crm-association-types';
import { getCrmPipelines } from './get-crm-pipelines';
import { getCrmProperties } from './get-crm-properties';
import { postProvision } from './post-provision';

/** The routes about a connector's portal. */
export const portalRoutes = (deps: PortalDeps): HttpRoute[] => [
  getCrmAssociationTypes(deps),
  getCrmPipelines(deps),
  getCrmProperties(deps),
  postProvision(deps),
];
