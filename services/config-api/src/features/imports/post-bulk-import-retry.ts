import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { ImportDeps } from './deps';
import { importTarget } from './import-target';
import { importView } from './import-view';

export function postBulkImportRetry(deps: ImportDeps): HttpRoute {
  return implementRoute(configRoutes.retryBulkImport, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, wide }) => {
      const { connector } = await importTarget(deps, principal, params.connector_id);
      const answer = await deps.imports.retry(connector.connector_id, params.import_id);
      if (!answer.ok) throw apiError(answer.reason === 'not_found' ? 'Not Found' : answer.reason);
      wide.add({ import_id: answer.import.id, rows: answer.rows });
      // What these rows were counted for was given back: they count again, however much is left of the month.
      if (await deps.quota.take(connector, answer.rows, 'always')) await deps.imports.reserved(answer.import.id, answer.rows);
      return { status: 202, body: importView(answer.import) };
    },
  });
}
