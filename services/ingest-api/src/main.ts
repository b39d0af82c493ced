import { createHealth, createHttpServer, createLifecycle, createLogger, createMetrics, parseSettings, redactedSummary, runMain, runUntilSignal, secretValues, setupTracing } from '@sluice/service-kit';
import { createAnnouncement, externalParts, openParts } from '@sluice/service-parts';
import packageJson from '../package.json';
import { composeIngestApi } from './compose';
import { ingestApiSettings } from './settings';

const service = 'ingest-api';

runMain(async () => {
  const settings = parseSettings(ingestApiSettings, process.env, externalParts);
  setupTracing();
  const logger = createLogger({ service, level: settings.logLevel, secrets: secretValues(ingestApiSettings, process.env) });
  logger.info('settings', redactedSummary(ingestApiSettings, process.env));
  const [health, metrics] = [createHealth(), createMetrics({ service })];
  const lifecycle = createLifecycle({ name: service, logger });
  const parts = openParts(settings, { service, logger, startWithoutDatabase: true }, lifecycle);
  const ingest = composeIngestApi({ settings, parts, logger, metrics, health });
  ingest.addTo(lifecycle);
  const announcement = createAnnouncement({ kv: parts.kv, name: service, version: packageJson.version, logger });
  lifecycle.add('announcement', () => announcement.start(), () => announcement.stop());
  const http = createHttpServer({ app: ingest.handle, port: settings.port, host: settings.host, logger, metrics });
  lifecycle.add('http', http.start, http.stop);
  lifecycle.add('readiness', () => logger.info('listening', { port: http.port() }), () => health.drain());
  await runUntilSignal(lifecycle, logger);
});
