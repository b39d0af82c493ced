import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { ConnectorDeps } from './deps';
import { connectorView } from './connector-view';
import { readFlowHealths } from './read-flow-health';

export function getConnectors(deps: ConnectorDeps): HttpRoute {
  return implementRoute(configRoutes.listConnectors, {
    authenticate: deps.authenticate,
    handler: async ({ query, principal }) => {
      const { items, total } = await deps.store.connectors.list(principal.organization.id, query);
      const health = await readFlowHealths(deps, items);
      return { status: 200, body: { items: items.map((connector) => connectorView(connector, health(connector))), total } };
    },
  });
}
