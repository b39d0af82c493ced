import { composeConfigApi, configApiSettings } from '@sluice/config-api';
import { composeFlowRunner, runnerSettings } from '@sluice/flow-runner';
import { composeIngestApi, ingestApiSettings } from '@sluice/ingest-api';
import type { Logger } from '@sluice/ports';
import { createHealth, createHttpServer, createMetrics, defineSettings, deliveryTimings, type Health, type Lifecycle, type SettingValues, sourceTimings } from '@sluice/service-kit';
import { openParts } from '@sluice/service-parts';
import { frontListener } from './http/front-listener';
import { ownSettings } from './settings';
import { serviceInstances } from './service-instances';

/** All settings of `npm start`: those of every service, and its own. Garbage in what a later part will read is refused already. */
export const standaloneDeclarations = defineSettings({ ...configApiSettings, ...ingestApiSettings, ...deliveryTimings, ...sourceTimings, ...runnerSettings, ...ownSettings });
export type Settings = SettingValues<typeof standaloneDeclarations>;

export interface ComposeOptions {
  settings: Settings;
  logger: Logger;
  /** This installation's name over restarts. */
  installation: string;
  publicUrl: string;
}

/** One process has what several have together. */
const poolSize = 20;

/** Composes every service on shared parts and hands them to the lifecycle, inside out; the public server comes last. */
export function composeStandalone({ settings, logger, installation, publicUrl }: ComposeOptions, lifecycle: Pick<Lifecycle, 'add'>): { health: Health } {
  const [health, metrics] = [createHealth(), createMetrics({ service: 'standalone' })];
  const parts = openParts(settings, { service: 'standalone', logger, metrics, installation, poolSize, crmConnections: settings.crmConnections }, lifecycle);
  const forService = (service: string) => {
    const own = { logger: logger.child({ service }), metrics: metrics.forService(service), health: createHealth() };
    health.include(service, own.health);
    return own;
  };

  const ingest = composeIngestApi({ settings: { ...settings, publicUrl }, parts, ...forService('ingest-api'), serveHealth: false });
  const runner = forService('flow-runner');
  const { logger: configLogger, metrics: configMetrics } = { logger: logger.child({ service: 'config-api' }), metrics: metrics.forService('config-api') };
  const config = composeConfigApi(settings, parts, {
    logger: configLogger, metrics: configMetrics, publicUrl: () => publicUrl,
    services: serviceInstances(['ingest-api', 'config-api', 'flow-runner']),
  });
  health.include('config-api', config.health);

  config.addTo(lifecycle);
  composeFlowRunner({ settings, parts, ...runner, installation }, lifecycle);
  ingest.addTo(lifecycle);
  const server = createHttpServer({ port: settings.port, host: settings.host, logger, metrics, app: frontListener({ services: { 'ingest-api': ingest.handle, 'config-api': config.app }, health, metrics }) });
  lifecycle.add('public address', server.start, server.stop);
  return { health };
}
