import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { IdentityDeps } from './deps';

export function getIdentityMappingCount(deps: IdentityDeps): HttpRoute {
  return implementRoute(configRoutes.countIdentityMappings, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      return { status: 200, body: { count: await deps.store.mappings.count(id, query.entity_type ?? null) } };
    },
  });
}
