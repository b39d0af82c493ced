import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { ConnectorDeps } from './deps';

export function deleteConnector({ authenticate, store }: ConnectorDeps): HttpRoute {
  return implementRoute(configRoutes.deleteConnector, {
    authenticate,
    handler: async ({ params, principal, wide }) => {
      wide.add({ connector_id: params.connector_id });
      if (!(await store.connectors.delete(principal.organization.id, params.connector_id))) throw apiError('connector_not_found');
      return { status: 204 };
    },
  });
}
