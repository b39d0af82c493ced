import { defineSettings, deliveryTimings, networkSettings, sourceTimings } from '@sluice/service-kit';
import { storeSettings } from '@sluice/service-parts';

/** What only export-worker reads. */
const ownSettings = defineSettings({
  exportPlaces: {
    env: 'SLUICE_EXPORT_PLACES',
    type: 'integer',
    min: 1,
    max: 50,
    default: '2',
    description: 'Data exports that one export-worker prepares at the same time; of one organization it is one.',
  },
});

/** What export-worker reads of the environment. */
export const exportWorkerSettings = {
  ...storeSettings,
  ...ownSettings,
  port: networkSettings.port,
  host: networkSettings.host,
  metricsPort: networkSettings.metricsPort,
  workerTickMs: deliveryTimings.workerTickMs,
  exportRetryWaitsMs: sourceTimings.exportRetryWaitsMs,
  exportTtlMs: sourceTimings.exportTtlMs,
} as const;
