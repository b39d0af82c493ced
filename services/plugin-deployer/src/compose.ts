import { addBackground } from '@sluice/background';
import type { ServiceApp, SettingValues } from '@sluice/service-kit';
import type { FunctionParts, ProductContext } from '@sluice/service-parts';
import { hooksWorker } from './hooks/hooks-worker';
import { operationsWorker } from './operations/operations-worker';
import { removalsWorker } from './removals/removals-worker';
import type { pluginDeployerSettings } from './settings';
import { sweepWorker } from './sweep/sweep-worker';

/** What plugin-deployer stands on, behind the ports. */
export type PluginDeployerParts = Pick<FunctionParts, 'kv' | 'functions' | 'pluginRuns' | 'pluginWork' | 'tasks'>;

/** Puts plugin-deployer together on given parts: its workers, which the lifecycle starts. */
export function composePluginDeployer(
  { functions, pluginRuns: runs, pluginWork: work, tasks }: PluginDeployerParts,
  { settings, logger, metrics, lifecycle, shared }: ProductContext<SettingValues<typeof pluginDeployerSettings>>,
): ServiceApp {
  const { hookRetryWaitsMs, platformRetryWaitsMs, pluginLinesPerHour, payloadRetentionMs, workerTickMs: everyMs } = settings;
  const workers = [
    operationsWorker({ work, functions, retryWaitsMs: platformRetryWaitsMs }),
    hooksWorker({ work, functions, runs, retryWaitsMs: hookRetryWaitsMs, linesPerHour: pluginLinesPerHour }),
    removalsWorker({ work, functions, retryWaitsMs: platformRetryWaitsMs }),
    sweepWorker({ runs, everyMs, logsMs: payloadRetentionMs }),
  ];
  const { installation } = shared ?? {};
  addBackground({ service: 'plugin-deployer', workers, tasks, logger, metrics, installation }, lifecycle);
  return {};
}
