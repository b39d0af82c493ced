import { openParts, openStoreParts, productService } from '@sluice/service-parts';
import packageJson from '../package.json';
import { composeIngestApi, type IngestApiParts } from './compose';
import { ingestApiSettings, requiredSettings } from './settings';

const [name, version] = ['ingest-api', packageJson.version] as const;

/** Sockets to the CRM, for verify alone. */
const crmConnections = 8;

/** Accepts events and publishes them to the log; writes the event index; answers with an event's status. */
export const ingestApi = productService({
  name, version,
  settings: ingestApiSettings,
  required: requiredSettings,
  callsCrm: true,
  openParts: ({ settings, logger, metrics, lifecycle }): IngestApiParts => {
    const options = { service: name, logger, metrics, startWithoutDatabase: true };
    // Only verify decrypts credentials: without the encryption keys everything else works.
    return settings.encryptionKeys === null
      ? openStoreParts(settings, options, lifecycle)
      : openParts(settings, { ...options, crmConnections }, lifecycle);
  },
  compose: (parts, context) => composeIngestApi(parts, context),
});
