import type { HttpRoute } from '@sluice/service-kit';
import type { OperatorDeps } from './deps';
import { getOperatorOrganization } from './get-operator-organization';
import { getOperatorOutbox } from './get-operator-outbox';
import { getOperatorOverview } from './get-operator-overview';
import { patchOperatorOrganization } from './patch-operator-organization';
import { postCountsRebuild } from './post-counts-rebuild';
import { postOperatorOrganizations } from './post-operator-organizations';

/** The routes of the operator. */
export const operatorRoutes = (deps: OperatorDeps): HttpRoute[] => [
  getOperatorOrganization(deps),
  getOperatorOutbox(deps),
  getOperatorOverview(deps),
  patchOperatorOrganization(deps),
  postCountsRebuild(deps),
  postOperatorOrganizations(deps),
];
