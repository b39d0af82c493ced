import { externalParts, openAccountParts, openParts, productService, publicUrlOf } from '@sluice/service-parts';
import { composeConfigApi } from './compose';
import { type ConfigApiParts } from './config-api-parts';
import { configApiSettings } from './settings';
import { serviceVersion } from './version';

/**
 * The API for people and CI: sign-up, connectors, credentials, drafts, versions. Publishes what changed to the other services.
 */
export const configApi = productService({
  name: 'config-api', version: serviceVersion,
  settings: configApiSettings,
  required: () => externalParts,
  callsCrm: true,
  openParts: (context): ConfigApiParts => {
    const { settings, logger, metrics, lifecycle } = context;
    return {
      ...openParts(settings, { service: 'config-api', logger, metrics }, lifecycle),
      ...openAccountParts(settings, { publicUrl: publicUrlOf(context) }, lifecycle),
    };
  },
  compose: (parts, context) => composeConfigApi(parts, context),
});
