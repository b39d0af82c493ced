import { openStoreParts, productService } from '@sluice/service-parts';
import packageJson from '../package.json';
import { composeIngestApi, type IngestApiParts } from './compose';
import { ingestApiSettings, requiredSettings } from './settings';

const [name, version] = ['ingest-api', packageJson.version] as const;

/** Accepts events and publishes them to the log; writes the event index; answers with an event's status. */
export const ingestApi = productService({
  name, version,
  settings: ingestApiSettings,
  required: requiredSettings,
  callsCrm: false,
  openParts: ({ settings, logger, metrics, lifecycle }): IngestApiParts =>
    openStoreParts(settings, { service: name, logger, metrics, startWithoutDatabase: true }, lifecycle),
  compose: (parts, context) => composeIngestApi(parts, context),
});
