import { configRoutes } from '@sluice/contracts';
import type { DataExport } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { ExportDeps } from './deps';
import { findExport } from './find-export';
import { packageName } from './package-name';
import { askPackageStore } from './package-store';

export function getDataExportLink(deps: ExportDeps): HttpRoute {
  return implementRoute(configRoutes.createDataExportLink, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const found = await findExport(deps, principal, params.export_id);
      const packageKey = packageKeyOf(found);
      await askPackageStore(() => deps.blobs.size(packageKey));
      const { organizationId, id } = found;
      const filename = packageName(found);
      const query = new URLSearchParams(deps.packageLinks.sign({ organizationId, exportId: id, filename }));
      return {
        status: 200,
        body: {
          url: `${deps.publicUrl()}/api/data-exports/${id}/package?${query.toString()}`,
          filename,
          expires_in_seconds: deps.packageLinks.ttlS,
        },
      };
    },
  });
}

/** @throws HttpError when there is no package: not yet, not any more, or never */
function packageKeyOf({ status, packageKey }: DataExport): string {
  if (status === 'failed') throw apiError('data_export_failed');
  if (status === 'expired') throw apiError('data_export_expired');
  if (packageKey === null) throw apiError('data_export_not_ready');
  return packageKey;
}
