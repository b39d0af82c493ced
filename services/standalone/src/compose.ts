import type { RequestListener } from 'node:http';
import { configApi } from '@sluice/config-api';
import type { ServiceName } from '@sluice/deployment';
import { exportWorker } from '@sluice/export-worker';
import { flowRunner } from '@sluice/flow-runner';
import { ingestApi } from '@sluice/ingest-api';
import { journalPoller } from '@sluice/journal-poller';
import { pluginDeployer } from '@sluice/plugin-deployer';
import type { Logger } from '@sluice/ports';
import {
  addHttpServers, createHealth, createMetrics, defineSettings, type Health, type Lifecycle, type SettingValues, sourceTimings,
} from '@sluice/service-kit';
import { openAccountParts, openParts } from '@sluice/service-parts';
import { frontListener } from './http/front-listener';
import { ownSettings } from './settings';
import { serviceInstances } from './service-instances';

/** Every service of the product, in the order of their start. */
const services = [configApi, flowRunner, ingestApi, exportWorker, journalPoller, pluginDeployer] as const;

type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
const settingsOfServices = Object.assign({}, ...services.map(({ settings }) => settings)) as
  Intersection<(typeof services)[number]['settings']>;

/**
 * All settings of `npm start`: those of every service, and its own. Invalid settings of later parts are refused at the start too.
 */
export const standaloneDeclarations = defineSettings({ ...sourceTimings, ...settingsOfServices, ...ownSettings });
export type Settings = SettingValues<typeof standaloneDeclarations>;

export interface ComposeOptions {
  settings: Settings;
  logger: Logger;
  /** This installation's name over restarts. */
  installation: string;
  publicUrl: string;
}

/**
 * One process has the connections of several together. After a kill all partitions are taken at once, on a slow machine beside
 * everything else that starts: callers wait longer than where the database may be away.
 */
const pool = { poolSize: 30, connectionTimeoutMs: 30_000 } as const;

/** Composes every service on shared parts and hands them to the lifecycle, inside out; the public server comes last. */
export function composeStandalone(
  { settings, logger, installation, publicUrl }: ComposeOptions,
  lifecycle: Pick<Lifecycle, 'add'>,
): { health: Health } {
  const [health, metrics] = [createHealth(), createMetrics({ service: 'standalone' })];
  const { crmConnections } = settings;
  const options = { service: 'standalone', logger, metrics, installation, ...pool, crmConnections };
  const parts = { ...openParts(settings, options, lifecycle), ...openAccountParts(settings, { publicUrl }, lifecycle) };
  const shared = { installation, publicUrl, services: serviceInstances(services.map(({ name }) => name)) };
  const listeners = new Map<ServiceName, RequestListener>();
  for (const service of services) {
    const name = service.name as ServiceName;
    const own = { logger: logger.child({ service: name }), metrics: metrics.forService(name), health: createHealth() };
    health.include(name, own.health);
    const { handle } = service.compose(parts, { settings, lifecycle, shared, ...own });
    if (handle) listeners.set(name, handle);
  }
  addHttpServers(frontListener(listeners), settings, { health, metrics, logger, lifecycle });
  return { health };
}
