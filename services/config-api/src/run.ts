import {
  createHttpServer, createLifecycle, createLogger, createMetrics, parseSettings, redactedSummary, runUntilSignal,
  secretValues, setupTracing, weakSecrets,
} from '@sluice/service-kit';
import { externalParts, openParts } from '@sluice/service-parts';
import { composeConfigApi } from './compose';
import { configApiSettings } from './settings';

/** Runs config-api as a process of its own until it is told to go. Throws a SettingsError that names every missing part. */
export async function runConfigApi(env: NodeJS.ProcessEnv): Promise<void> {
  const settings = parseSettings(configApiSettings, env, externalParts);
  setupTracing();
  const logger = createLogger({
    service: 'config-api',
    level: settings.logLevel,
    personalData: settings.logPersonalData,
    secrets: secretValues(configApiSettings, env),
  });
  logger.info('settings', redactedSummary(configApiSettings, env));
  for (const warning of weakSecrets(configApiSettings, env).warned) logger.warn(warning);
  const metrics = createMetrics({ service: 'config-api' });
  const lifecycle = createLifecycle({ name: 'config-api', logger });
  const { app, addTo, health } = composeConfigApi(
    settings,
    openParts(settings, { service: 'config-api', logger, metrics }, lifecycle),
    { logger, metrics },
  );
  addTo(lifecycle);
  const server = createHttpServer({ app, port: settings.port, host: settings.host, logger, metrics });
  lifecycle.add('http', () => server.start(), () => server.stop());
  lifecycle.add('readiness', () => logger.info('config-api is ready', { port: server.port() }), () => health.drain());
  await runUntilSignal(lifecycle, logger);
}
