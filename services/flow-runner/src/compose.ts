import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { eventsInbound, eventsOutbound, flowRunnerGroup } from '@sluice/contracts';
import { type Logger, wallClock } from '@sluice/ports';
import type { Health, Lifecycle, Metrics, SettingValues } from '@sluice/service-kit';
import { createMonotonicClock, createStoreTime, type deliveryTimings } from '@sluice/service-kit';
import type { Parts, PartsSettings } from '@sluice/service-parts';
import { createRestClient, type RestClient } from '@sluice/rest-client';
import { createFileDownloads } from './files/create-file-downloads';
import { createRunner, type Runner } from './runner/create-runner';
import { runnerDefaults } from './runner/runner-deps';
import { type runnerSettings } from './settings';

export interface ComposeFlowRunner {
  settings: SettingValues<typeof runnerSettings> & SettingValues<typeof deliveryTimings>
    & Pick<PartsSettings, 'readingWaitsMs' | 'readingDeadAfterMs'> & { allowPrivateTargets: boolean };
  parts: Pick<Parts, 'bus' | 'runStore' | 'configReader' | 'kv' | 'blobs' | 'crm'>;
  logger: Logger;
  metrics: Metrics;
  health: Health;
  /** The single-process installation's name: its own leases of an earlier life are taken over at once. */
  installation?: string;
}

/** Builds the flow runner and hands it to the lifecycle. */
export function composeFlowRunner(
  { settings, parts, logger, metrics, health, installation }: ComposeFlowRunner,
  lifecycle: Pick<Lifecycle, 'add'>,
): Runner {
  const downloadClient = createRestClient({ allowPrivateTargets: settings.allowPrivateTargets });
  lifecycle.add('downloads', () => undefined, () => downloadClient.close());
  const rest = targetClient(settings, lifecycle);
  const runner = createRunner(
    {
      bus: parts.bus, store: parts.runStore, reader: parts.configReader, kv: parts.kv, blobs: parts.blobs, crm: parts.crm,
      crmFiles: parts.crm, rest, logger,
      downloads: createFileDownloads({ client: downloadClient, timeoutMs: settings.fileTimeoutMs, now: wallClock() }),
      metrics, now: wallClock(), monotonicNow: createMonotonicClock(), storeTime: createStoreTime(),
      sleep: (ms) => sleep(ms),
    },
    {
      ...runnerDefaults,
      owner: installation ?? `${hostname()}-${randomUUID()}`,
      takeOver: installation !== undefined, topics: [eventsInbound.name, eventsOutbound.name], group: flowRunnerGroup,
      policy: {
        attempts: settings.attempts, waitsMs: settings.retryWaitsMs, ceilingMs: settings.retryCeilingMs,
        ttlMs: settings.eventTtlMs,
      },
      searchLagMs: settings.searchLagMs, rememberedMappings: settings.rememberedMappings,
      echoWindowMs: settings.echoWindowMs, maxInFlight: settings.maxInFlight,
      maxFileBytes: settings.maxFileMb * 1024 * 1024,
      maxBuffered: settings.maxBuffered, maxPerConnector: settings.maxPerConnector,
      eventMemoryBytes:
        settings.eventMemoryMb === 0 ? getHeapStatistics().heap_size_limit / 4 : settings.eventMemoryMb * 1024 * 1024,
      crmTimeoutMs: settings.crmTimeoutMs, lateWriteMs: settings.lateWriteMs, portalFailingAfterMs: settings.portalFailingAfterMs,
      targetTimeoutMs: settings.targetTimeoutMs, targetAnswerBytes: settings.targetAnswerKb * 1024,
      targetConnections: settings.targetConnections,
      crashDeaths: settings.crashDeaths, crashWatchMs: settings.crashWatchMs, traceCharacters: settings.traceCharacters,
      keptCharacters: settings.keptCharacters,
      reading: { waitsMs: settings.readingWaitsMs, deadAfterMs: settings.readingDeadAfterMs },
    },
  );
  lifecycle.add(
    'flow runner',
    () => runner.start(),
    () => runner.stop(),
  );
  health.add('flow_runner', () => runner.ready());
  health.addLiveness('flow_runner', () => runner.alive());
  health.add('bus', () => ({ ok: parts.bus.healthy() }));
  return runner;
}

/** Calls the REST destinations of steps. */
function targetClient(settings: ComposeFlowRunner['settings'], lifecycle: Pick<Lifecycle, 'add'>): RestClient {
  const client = createRestClient({ allowPrivateTargets: settings.allowPrivateTargets, connections: settings.targetConnections });
  lifecycle.add('rest client', () => undefined, () => client.close());
  return client;
}
