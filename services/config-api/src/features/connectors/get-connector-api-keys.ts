import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { ConnectorDeps } from './deps';
import { findConnector } from '../../http/find-connector';
import { apiKeyView } from '../../http/api-key-view';

export function getConnectorApiKeys(deps: ConnectorDeps): HttpRoute {
  return implementRoute(configRoutes.listConnectorApiKeys, {
    authenticate: deps.authenticate,
    handler: async ({ params, query, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const { items, total } = await deps.store.connectors.keys(connector.id, query);
      return { status: 200, body: { items: items.map(apiKeyView), total } };
    },
  });
}
