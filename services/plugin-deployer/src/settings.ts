import { deliveryTimings, networkSettings } from '@sluice/service-kit';
import { functionPartsSettings } from '@sluice/service-parts';

/** What plugin-deployer reads of the environment. */
export const pluginDeployerSettings = {
  ...functionPartsSettings,
  port: networkSettings.port,
  host: networkSettings.host,
  metricsPort: networkSettings.metricsPort,
  workerTickMs: deliveryTimings.workerTickMs,
  hookRetryWaitsMs: deliveryTimings.hookRetryWaitsMs,
  platformRetryWaitsMs: deliveryTimings.platformRetryWaitsMs,
} as const;
