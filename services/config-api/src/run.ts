import { createHttpServer, createLifecycle, parseSettings, runUntilSignal } from '@sluice/service-kit';
import { composeConfigApi } from './compose';
import { configApiSettings } from './settings';

/** Runs config-api as a process of its own until it is told to go. */
export async function runConfigApi(env: NodeJS.ProcessEnv): Promise<void> {
  const settings = parseSettings(configApiSettings, env);
  const { app, addParts, logger, health } = composeConfigApi(settings);
  const lifecycle = createLifecycle({ name: 'config-api', logger });
  addParts(lifecycle);
  const server = createHttpServer({ app, port: settings.port });
  lifecycle.add('http', () => server.start(), () => server.stop());
  lifecycle.add('readiness', () => logger.info('config-api is ready', { port: server.port() }), () => health.drain());
  await runUntilSignal(lifecycle, logger);
}
