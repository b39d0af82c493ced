import { configRoutes } from '@sluice/contracts';
import { noteAudit } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { ExportDeps } from './deps';
import { packageName } from './package-name';
import { askPackageStore } from './package-store';
import { isOver } from './present-export';

/** What the audit log calls the caller, who is unknown. */
const caller = 'a link';

export function getDataExportPackage({ exports, blobs, packageLinks }: ExportDeps): HttpRoute {
  return implementRoute(configRoutes.downloadDataExport, {
    handler: async ({ params, query }) => {
      const found = await exports.find(params.export_id);
      if (!found) throw apiError('link_invalid');
      const { organizationId, id: exportId, packageKey } = found.export;
      const filename = packageName(found.export);
      const verdict = packageLinks.check(query, { organizationId, exportId, filename });
      if (verdict === 'invalid') throw apiError('link_invalid');
      if (packageKey === null || found.organizationState === 'closed'
        || isOver(found.export)) throw apiError('data_export_expired');
      if (verdict === 'expired') throw apiError('link_expired');
      noteAudit({ organizationIds: [organizationId], targetId: exportId, label: caller });
      const size = await askPackageStore(() => blobs.size(packageKey));
      if (size === null) throw apiError('data_export_expired');
      return {
        status: 200,
        file: {
          size,
          filename,
          etag: `"${exportId}-${size}"`,
          open: async (range) => {
            const bytes = await askPackageStore(() => blobs.getStream(packageKey, range));
            if (!bytes) throw apiError('data_export_expired');
            return bytes;
          },
        },
      };
    },
  });
}
