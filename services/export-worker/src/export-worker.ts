import { externalStores, openStoreParts, productService } from '@sluice/service-parts';
import packageJson from '../package.json';
import { composeExportWorker, type ExportWorkerParts } from './compose';
import { exportWorkerSettings } from './settings';

/** Prepares the packages of data exports, and deletes them when their time is over. */
export const exportWorker = productService({
  name: 'export-worker', version: packageJson.version,
  settings: exportWorkerSettings,
  required: () => externalStores,
  callsCrm: false,
  openParts: ({ settings, logger, metrics, lifecycle }): ExportWorkerParts =>
    openStoreParts(settings, { service: 'export-worker', logger, metrics }, lifecycle),
  compose: composeExportWorker,
});
