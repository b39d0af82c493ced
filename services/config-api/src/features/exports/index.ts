import type { HttpRoute } from '@sluice/service-kit';
import type { ExportDeps } from './deps';
import { getDataExport } from './get-data-export';
import { getDataExportLink } from './get-data-export-link';
import { getDataExportPackage } from './get-data-export-package';
import { getDataExports } from './get-data-exports';
import { postDataExports } from './post-data-exports';

/** The routes of data exports. */
export const exportRoutes = (deps: ExportDeps): HttpRoute[] => [
  postDataExports(deps), getDataExports(deps), getDataExport(deps), getDataExportLink(deps), getDataExportPackage(deps),
];
