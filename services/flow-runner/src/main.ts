import {
  createHealth, createHttpServer, createLifecycle, createLogger, createMetrics, healthApp, parseSettings, redactedSummary,
  runMain, runUntilSignal, secretValues, setupTracing, weakSecrets,
} from '@sluice/service-kit';
import { createAnnouncement, externalParts, openParts } from '@sluice/service-parts';
import packageJson from '../package.json';
import { composeFlowRunner } from './compose';
import { settings as declarations } from './settings';

/** A flow runner of its own: refuses to start without the external parts it needs, naming them all. */
runMain(async () => {
  const settings = parseSettings(declarations, process.env, externalParts);
  const service = 'flow-runner';
  const logger = createLogger({ service, level: settings.logLevel, personalData: settings.logPersonalData, secrets: secretValues(declarations, process.env) });
  logger.info('starting', { settings: redactedSummary(declarations, process.env) });
  for (const warning of weakSecrets(declarations, process.env).warned) logger.warn(warning);
  setupTracing();
  const metrics = createMetrics({ service });
  const health = createHealth();
  const lifecycle = createLifecycle({ name: service, logger });
  const parts = openParts(settings, { service, logger, metrics, crmConnections: settings.crmConnections, startWithoutDatabase: true }, lifecycle);
  composeFlowRunner({ settings, parts, logger, metrics, health }, lifecycle);
  const announcement = createAnnouncement({ kv: parts.kv, name: service, version: packageJson.version, logger });
  lifecycle.add('announcement', () => announcement.start(), () => announcement.stop());
  const server = createHttpServer({ port: settings.port, host: settings.host, logger, metrics, app: healthApp({ health, metrics }) });
  lifecycle.add('health server', () => server.start(), () => {
    health.drain();
    return server.stop();
  });
  await runUntilSignal(lifecycle, logger);
});
