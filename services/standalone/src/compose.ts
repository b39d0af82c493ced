import { configApi, configApiSettings } from '@sluice/config-api';
import { flowRunner, runnerSettings } from '@sluice/flow-runner';
import { ingestApi, ingestApiSettings } from '@sluice/ingest-api';
import type { Logger } from '@sluice/ports';
import {
  createHealth,
  createHttpServer,
  createMetrics,
  defineSettings,
  deliveryTimings,
  type Health,
  type Lifecycle,
  type SettingValues,
  sourceTimings,
  streamLimits,
} from '@sluice/service-kit';
import { openParts } from '@sluice/service-parts';
import { frontListener } from './http/front-listener';
import { ownSettings } from './settings';
import { serviceInstances } from './service-instances';

/**
 * All settings of `npm start`: those of every service, and its own. Invalid settings of later parts are refused at the start too.
 */
export const standaloneDeclarations = defineSettings({
  ...configApiSettings,
  ...ingestApiSettings,
  ...deliveryTimings,
  ...sourceTimings,
  ...runnerSettings,
  ...ownSettings,
});
export type Settings = SettingValues<typeof standaloneDeclarations>;

export interface ComposeOptions {
  settings: Settings;
  logger: Logger;
  /** This installation's name over restarts. */
  installation: string;
  publicUrl: string;
}

/** One process has the connections of several together. */
const poolSize = 20;

/** Composes every service on shared parts and hands them to the lifecycle, inside out; the public server comes last. */
export function composeStandalone(
  { settings, logger, installation, publicUrl }: ComposeOptions,
  lifecycle: Pick<Lifecycle, 'add'>,
): { health: Health } {
  const [health, metrics] = [createHealth(), createMetrics({ service: 'standalone' })];
  const parts = openParts(
    settings,
    { service: 'standalone', logger, metrics, installation, poolSize, crmConnections: settings.crmConnections },
    lifecycle,
  );
  const shared = {
    installation,
    publicUrl,
    services: serviceInstances([ingestApi, configApi, flowRunner].map(({ name }) => name)),
  };
  const contextOf = ({ name }: { name: string }) => {
    const own = { logger: logger.child({ service: name }), metrics: metrics.forService(name), health: createHealth() };
    health.include(name, own.health);
    return { settings, lifecycle, shared, ...own };
  };
  const config = configApi.compose(parts, contextOf(configApi));
  flowRunner.compose(parts, contextOf(flowRunner));
  const ingest = ingestApi.compose(parts, contextOf(ingestApi));
  const app = frontListener({ services: { 'ingest-api': ingest.handle, 'config-api': config.handle }, health, metrics });
  const { port, host } = settings;
  const server = createHttpServer({ port, host, logger, metrics, app, streams: streamLimits(settings) });
  lifecycle.add('public address', server.start, server.stop);
  return { health };
}
