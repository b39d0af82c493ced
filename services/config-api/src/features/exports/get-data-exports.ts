import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { ExportDeps } from './deps';
import { exportView } from './export-view';

const shown = 20;

export function getDataExports({ authenticate, exports }: ExportDeps): HttpRoute {
  return implementRoute(configRoutes.listDataExports, {
    authenticate,
    handler: async ({ principal }) => ({
      status: 200, body: { exports: (await exports.list(principal.organization.id, shown)).map(exportView) },
    }),
  });
}
