import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { ConnectorDeps } from './deps';
import { connectorView } from './connector-view';

export function getConnectors({ authenticate, store }: ConnectorDeps): HttpRoute {
  return implementRoute(configRoutes.listConnectors, {
    authenticate,
    handler: async ({ query, principal }) => {
      const { items, total } = await store.connectors.list(principal.organization.id, query);
      return { status: 200, body: { items: items.map(connectorView), total } };
    },
  });
}
