import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventsInbound, eventsOutbound, flowRunnerGroup } from '@sluice/contracts';
import { wallClock } from '@sluice/ports';
import { createRestClient, type RestClient } from '@sluice/rest-client';
import { createMonotonicClock, createStoreTime, type Lifecycle, type ServiceApp, type SettingValues } from '@sluice/service-kit';
import { createProcessCounts, type Parts, type ProductContext, superviseReading } from '@sluice/service-parts';
import { createFileDownloads } from './files/create-file-downloads';
import { createRunner } from './runner/create-runner';
import { optionsOfSettings } from './runner/options-of-settings';
import type { flowRunnerSettings } from './settings';

/** What flow-runner stands on, behind the ports. */
export type FlowRunnerParts = Pick<
  Parts,
  'bus' | 'runStore' | 'configReader' | 'kv' | 'blobs' | 'crm' | 'monitoring' | 'breakers' | 'imports' | 'writeCaps' | 'functions'
  | 'pluginRuns'
>;

type Settings = SettingValues<typeof flowRunnerSettings>;

/** Puts flow-runner together on given parts: it has no routes. */
export function composeFlowRunner(parts: FlowRunnerParts, context: ProductContext<Settings>): ServiceApp {
  const { settings, logger, metrics, health, lifecycle, shared, instances } = context;
  const { bus, runStore: store, configReader: reader, kv, blobs, crm, imports, writeCaps, functions, pluginRuns } = parts;
  const downloads = restClient(settings, lifecycle, 'downloads');
  const rest = restClient(settings, lifecycle, 'rest client', settings.targetConnections);
  const counts = createProcessCounts({ store: parts.monitoring, logger });
  lifecycle.add('counts', counts.start, counts.stop);
  const runner = createRunner(
    {
      ...{ bus, store, breakers: parts.breakers, imports, writeCaps, reader, kv, blobs },
      ...{ crm, crmFiles: crm, rest, logger, metrics, counts },
      ...{ functions, pluginRuns },
      downloads: createFileDownloads({ client: downloads, timeoutMs: settings.fileTimeoutMs, now: wallClock() }),
      supervisor: superviseReading(bus, context),
      crmCallers: () => instances.crmCallers(),
      now: wallClock(), monotonicNow: createMonotonicClock(), storeTime: createStoreTime(),
      sleep: (ms) => sleep(ms),
    },
    {
      ...optionsOfSettings(settings),
      owner: shared?.installation ?? `${hostname()}-${randomUUID()}`,
      takeOver: shared !== undefined,
      topics: [eventsInbound.name, eventsOutbound.name],
      group: flowRunnerGroup,
    },
  );
  lifecycle.add('flow runner', () => runner.start(), () => runner.stop());
  health.add('flow runner', () => runner.ready());
  return {};
}

/** A client of addresses that configs name, closed when everything that calls them has stopped. */
function restClient(
  { allowPrivateTargets, deniedTargets }: Settings, lifecycle: Pick<Lifecycle, 'add'>, name: string, connections?: number,
): RestClient {
  const client = createRestClient({
    allowPrivateTargets, deniedTargets: deniedTargets ?? [], ...(connections !== undefined && { connections }),
  });
  lifecycle.add(name, () => undefined, () => client.close());
  return client;
}
