import { defineService } from '@sluice/service-kit';
import { createAnnouncement, openParts, openStoreParts } from '@sluice/service-parts';
import packageJson from '../package.json';
import { composeIngestApi, type IngestApiParts } from './compose';
import { ingestApiSettings, requiredSettings } from './settings';

const [name, version] = ['ingest-api', packageJson.version] as const;

/** Sockets to the CRM, for verify alone. */
const crmConnections = 8;

/** Accepts events and publishes them to the log; writes the event index; answers with an event's status. */
export const ingestApi = defineService({
  name, version,
  settings: ingestApiSettings,
  required: requiredSettings,
  openParts: ({ settings, logger, metrics, lifecycle }): IngestApiParts => {
    const options = { service: name, logger, metrics, startWithoutDatabase: true };
    // Only verify decrypts credentials: without the encryption keys everything else works.
    return settings.encryptionKeys === null
      ? openStoreParts(settings, options, lifecycle)
      : openParts(settings, { ...options, crmConnections }, lifecycle);
  },
  compose: (parts: IngestApiParts, { settings, logger, metrics, health, lifecycle, shared }) => {
    const publicUrl = shared?.publicUrl ?? settings.publicUrl;
    const { handle, addTo } = composeIngestApi({
      settings: { ...settings, publicUrl }, parts, logger, metrics, health, serveHealth: shared === undefined,
      installation: shared?.installation,
    });
    addTo(lifecycle);
    if (!shared) {
      const announcement = createAnnouncement({ kv: parts.kv, name, version, logger });
      lifecycle.add('announcement', announcement.start, announcement.stop);
    }
    return { handle };
  },
});
