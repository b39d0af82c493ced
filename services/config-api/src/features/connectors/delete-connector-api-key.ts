import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { ConnectorDeps } from './deps';
import { findConnector } from '../../http/find-connector';

export function deleteConnectorApiKey(deps: ConnectorDeps): HttpRoute {
  return implementRoute(configRoutes.revokeConnectorApiKey, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      if (!(await deps.store.connectors.revokeKey(connector.id, params.key_id))) throw apiError('Not Found');
      return { status: 204 };
    },
  });
}
