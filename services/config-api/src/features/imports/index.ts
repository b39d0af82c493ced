import type { HttpRoute } from '@sluice/service-kit';
import type { ImportDeps } from './deps';
import { getBulkImport } from './get-bulk-import';
import { getBulkImportRows } from './get-bulk-import-rows';
import { getBulkImports } from './get-bulk-imports';
import { postBulkImportCancel } from './post-bulk-import-cancel';
import { postBulkImportRetry } from './post-bulk-import-retry';
import { postBulkImports } from './post-bulk-imports';

/** The routes of bulk imports. */
export const importRoutes = (deps: ImportDeps): HttpRoute[] => [
  getBulkImport(deps),
  getBulkImportRows(deps),
  getBulkImports(deps),
  postBulkImportCancel(deps),
  postBulkImportRetry(deps),
  postBulkImports(deps),
];
