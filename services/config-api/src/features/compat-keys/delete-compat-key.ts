import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { CompatKeyDeps } from './deps';

export function deleteCompatKey(deps: CompatKeyDeps): HttpRoute {
  return implementRoute(configRoutes.revokeCompatKey, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      if (!(await deps.store.compatKeys.revoke(connector.id, params.key_id))) throw apiError('Not Found');
      return { status: 204 };
    },
  });
}
