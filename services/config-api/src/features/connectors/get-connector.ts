import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { ConnectorDeps } from './deps';
import { connectorAnswer } from './connector-answer';
import { findConnector } from '../../http/find-connector';

export function getConnector(deps: ConnectorDeps): HttpRoute {
  return implementRoute(configRoutes.getConnector, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => ({
      status: 200, body: await connectorAnswer(deps, await findConnector(deps, principal, params.connector_id)),
    }),
  });
}
