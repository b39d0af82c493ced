import {
  createHealth, createHttpServer, createLifecycle, createLogger, createMetrics, parseSettings, redactedSummary, runMain,
  runUntilSignal, secretValues, setupTracing, weakSecrets,
} from '@sluice/service-kit';
import { createAnnouncement, openStoreParts } from '@sluice/service-parts';
import packageJson from '../package.json';
import { composeIngestApi } from './compose';
import { ingestApiSettings, requiredSettings } from './settings';

const service = 'ingest-api';

runMain(async () => {
  const settings = parseSettings(ingestApiSettings, process.env, requiredSettings(process.env));
  setupTracing();
  const logger = createLogger({ service, level: settings.logLevel, personalData: settings.logPersonalData, secrets: secretValues(ingestApiSettings, process.env) });
  logger.info('settings', redactedSummary(ingestApiSettings, process.env));
  for (const warning of weakSecrets(ingestApiSettings, process.env).warned) logger.warn(warning);
  const [health, metrics] = [createHealth(), createMetrics({ service })];
  const lifecycle = createLifecycle({ name: service, logger });
  const parts = openStoreParts(settings, { service, logger, metrics, startWithoutDatabase: true }, lifecycle);
  const ingest = composeIngestApi({ settings, parts, logger, metrics, health });
  ingest.addTo(lifecycle);
  const announcement = createAnnouncement({ kv: parts.kv, name: service, version: packageJson.version, logger });
  lifecycle.add('announcement', () => announcement.start(), () => announcement.stop());
  const http = createHttpServer({ app: ingest.handle, port: settings.port, host: settings.host, logger, metrics });
  lifecycle.add('http', http.start, http.stop);
  lifecycle.add('readiness', () => logger.info('listening', { port: http.port() }), () => health.drain());
  await runUntilSignal(lifecycle, logger);
});
