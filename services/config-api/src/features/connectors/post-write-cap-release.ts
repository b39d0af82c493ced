import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { connectorAnswer } from './connector-answer';
import type { ConnectorDeps } from './deps';

export function postWriteCapRelease(deps: ConnectorDeps): HttpRoute {
  return implementRoute(configRoutes.releaseWriteCap, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, wide }) => {
      wide.add({ connector_id: params.connector_id });
      const released = await deps.store.connectors.releaseWriteCap(principal.organization.id, params.connector_id);
      if (!released.ok) throw apiError(released.reason === 'not_found' ? 'connector_not_found' : released.reason);
      return { status: 202, body: await connectorAnswer(deps, released.connector) };
    },
  });
}
