import { defineService } from '@sluice/service-kit';
import { externalParts, openParts } from '@sluice/service-parts';
import { composeConfigApi, type ConfigApiParts } from './compose';
import { configApiSettings } from './settings';
import { serviceVersion } from './version';

/**
 * The API for people and CI: sign-up, connectors, credentials, drafts, versions. Publishes what changed to the other services.
 */
export const configApi = defineService({
  name: 'config-api', version: serviceVersion,
  settings: configApiSettings,
  required: () => externalParts,
  openParts: ({ settings, logger, metrics, lifecycle }) =>
    openParts(settings, { service: 'config-api', logger, metrics }, lifecycle),
  compose: (parts: ConfigApiParts, { settings, logger, metrics, health, lifecycle, shared }) => {
    const said = shared && { publicUrl: () => shared.publicUrl, services: shared.services, installation: shared.installation };
    const { app, addTo } = composeConfigApi(settings, parts, { logger, metrics, health, ...said });
    addTo(lifecycle);
    return { handle: app };
  },
});
