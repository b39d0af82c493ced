import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { compatKeyView } from './compat-key-view';
import type { CompatKeyDeps } from './deps';

export function getCompatKeys(deps: CompatKeyDeps): HttpRoute {
  return implementRoute(configRoutes.listCompatKeys, {
    authenticate: deps.authenticate,
    handler: async ({ params, query, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const { items, total } = await deps.store.compatKeys.list(connector.id, query);
      return { status: 200, body: { items: items.map(compatKeyView), total } };
    },
  });
}
