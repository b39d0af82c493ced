import { createLifecycle } from '../lifecycle/create-lifecycle';
import { runMain, runUntilSignal } from '../lifecycle/run-until-signal';
import { createLogger } from '../log/create-logger';
import { createHealth } from '../observe/create-health';
import { createMetrics } from '../observe/create-metrics';
import { notFoundApp } from '../observe/health-handler';
import { setupTracing } from '../observe/tracing';
import { type Environment, parseSettings, redactedSummary, secretValues, weakSecrets } from '../settings';
import type { BaseDeclarations, ServiceDefinition } from './define-service';
import { addHttpServers } from './http-servers';

/**
 * Composes a service as a process of its own, with its HTTP server.
 * @throws SettingsError that names every unusable setting
 */
export function composeAlone<D extends BaseDeclarations, P>(definition: ServiceDefinition<D, P>, env: Environment) {
  const { name: service, settings: declarations } = definition;
  const settings = parseSettings(declarations, env, definition.required(env));
  const base = parseSettings<BaseDeclarations>(declarations, env);
  const { logLevel: level, logPersonalData: personalData } = base;
  const logger = createLogger({ service, level, personalData, secrets: secretValues(declarations, env) });
  logger.info('settings', redactedSummary(declarations, env));
  for (const warning of weakSecrets(declarations, env).warned) logger.warn(warning);
  const [health, metrics, lifecycle] = [createHealth(), createMetrics({ service }), createLifecycle({ name: service, logger })];
  const context = { settings, logger, metrics, health, lifecycle };
  const { handle = notFoundApp } = definition.compose(definition.openParts(context), context);
  const http = addHttpServers(handle, base, context);
  lifecycle.add('readiness', () => logger.info('listening', { port: http.port() }), () => health.drain());
  return { lifecycle, logger, port: http.port };
}

/** The whole main.ts of a service: runs it as a process of its own until a signal. */
export function runService<D extends BaseDeclarations, P>(definition: ServiceDefinition<D, P>): void {
  runMain(async () => {
    setupTracing();
    const { lifecycle, logger } = composeAlone(definition, process.env);
    await runUntilSignal(lifecycle, logger);
  });
}
