import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { ImportDeps } from './deps';
import { importView } from './import-view';

export function getBulkImports(deps: ImportDeps): HttpRoute {
  return implementRoute(configRoutes.listBulkImports, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query: { limit = 50, offset = 0 } }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const { items, total } = await deps.imports.list(connector.id, { limit, offset });
      return { status: 200, body: { items: items.map(importView), total } };
    },
  });
}
