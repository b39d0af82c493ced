import type { HttpRoute } from '@sluice/service-kit';
import type { OperatorDeps } from './deps';
import { getOperatorOrganization } from './get-operator-organization';
import { getOperatorOutbox } from './get-operator-outbox';
import { getOperatorOverview } from './get-operator-overview';
import { getOperatorUsers } from './get-operator-users';
import { patchOperatorOrganization } from './patch-operator-organization';
import { postCountsRebuild } from './post-counts-rebuild';
import { patchOperatorUser } from './patch-operator-user';
import { postOperatorOrganizations } from './post-operator-organizations';
import { putConnectorWidth } from './put-connector-width';
import { putFlowBreaker } from './put-flow-breaker';

/** The routes of the operator. */
export const operatorRoutes = (deps: OperatorDeps): HttpRoute[] => [
  getOperatorOrganization(deps),
  getOperatorOutbox(deps),
  getOperatorOverview(deps),
  getOperatorUsers(deps),
  patchOperatorOrganization(deps),
  postCountsRebuild(deps),
  patchOperatorUser(deps),
  postOperatorOrganizations(deps),
  putConnectorWidth(deps),
  putFlowBreaker(deps),
];
