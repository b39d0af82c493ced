import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { ImportDeps } from './deps';
import { importView } from './import-view';

export function getBulkImport(deps: ImportDeps): HttpRoute {
  return implementRoute(configRoutes.getBulkImport, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const job = await deps.imports.get(connector.id, params.import_id);
      if (!job) throw apiError('Not Found');
      return { status: 200, body: importView(job) };
    },
  });
}
