import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { ExportDeps } from './deps';
import { exportView } from './export-view';
import { presentExport } from './present-export';

const shown = 20;

export function getDataExports({ authenticate, exports }: ExportDeps): HttpRoute {
  return implementRoute(configRoutes.listDataExports, {
    authenticate,
    handler: async ({ principal }) => {
      const newest = await exports.list(principal.organization.id, shown);
      return { status: 200, body: { exports: newest.map((one) => exportView(presentExport(one))) } };
    },
  });
}
