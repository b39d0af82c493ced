import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { ExportDeps } from './deps';
import { exportView } from './export-view';
import { findExport } from './find-export';

export function getDataExport(deps: ExportDeps): HttpRoute {
  return implementRoute(configRoutes.getDataExport, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => ({
      status: 200, body: exportView(await findExport(deps, principal, params.export_id)),
    }),
  });
}
