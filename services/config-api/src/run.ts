import { createHttpServer, createLifecycle, createLogger, parseSettings, runUntilSignal, secretValues, SettingsError } from '@sluice/service-kit';
import { missingParts, openParts } from '@sluice/service-parts';
import { composeConfigApi } from './compose';
import { configApiSettings } from './settings';

/** Runs config-api as a process of its own until it is told to go. Throws a SettingsError that names every missing part. */
export async function runConfigApi(env: NodeJS.ProcessEnv): Promise<void> {
  const settings = parseSettings(configApiSettings, env);
  const missing = missingParts(settings);
  if (missing.length > 0) throw new SettingsError(missing.map((name) => `${name} is required: config-api runs on no embedded parts by itself`));
  const logger = createLogger({ service: 'config-api', level: settings.logLevel, secrets: secretValues(configApiSettings, env) });
  const lifecycle = createLifecycle({ name: 'config-api', logger });
  const { app, addTo, health } = composeConfigApi(settings, openParts(settings, { service: 'config-api', logger }, lifecycle), { logger });
  addTo(lifecycle);
  const server = createHttpServer({ app, port: settings.port });
  lifecycle.add('http', () => server.start(), () => server.stop());
  lifecycle.add('readiness', () => logger.info('config-api is ready', { port: server.port() }), () => health.drain());
  await runUntilSignal(lifecycle, logger);
}
