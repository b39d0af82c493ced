import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { IdentityDeps } from './deps';

export function deleteIdentityMapping(deps: IdentityDeps): HttpRoute {
  return implementRoute(configRoutes.removeIdentityMapping, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query, wide }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      wide.add({ connector_id: id, entity: query.entity_type });
      if (!(await deps.store.mappings.remove(id, query.entity_type, query.external_id))) throw apiError('Not Found');
      return { status: 204 };
    },
  });
}
