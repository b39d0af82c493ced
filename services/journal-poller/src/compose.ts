import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addBackground, type Worker } from '@sluice/background';
import { createConnectorDirectory, type ConnectorDirectory, followConnectors } from '@sluice/connector-feed';
import {
  createEventIds, createIntake, createPartitionCounts, createQuota, createRateLimit, eventIdKeys, type Intake,
} from '@sluice/event-intake';
import { wallClock } from '@sluice/ports';
import { createRestClient } from '@sluice/rest-client';
import { createSourcePages } from '@sluice/rest-targets';
import { createMonotonicClock, type ServiceApp } from '@sluice/service-kit';
import { createLimitStore, openWatchedFiles, type Parts, type ProductContext, superviseReading } from '@sluice/service-parts';
import { polledTypes } from '@sluice/sources';
import { LRUCache } from 'lru-cache';
import { fileWorker, oldFilesWorker } from './files/file-workers';
import { lookForFiles } from './files/look-for-files';
import { createJournalSources } from './journal/journal-sources';
import { JournalSubscriptions } from './journal/journal-subscriptions';
import { journalWorker } from './journal/journal-worker';
import { createTakeRead, type TakeRead } from './intake/take-read';
import { pageBounds } from './reading/page-bounds';
import { createPublishedSources } from './reading/published-sources';
import { createReadingObserver } from './reading/reading-metrics';
import { readWorker } from './reading/read-worker';
import { SourceTasks } from './reading/source-tasks';
import type { JournalPollerSettings } from './settings';

/** What journal-poller stands on, behind the ports. */
export type JournalPollerParts = Pick<
  Parts,
  'bus' | 'kv' | 'blobs' | 'tasks' | 'eventIndex' | 'configReader' | 'sourceReads' | 'sourceFiles' | 'crmJournal' | 'crm'
  | 'runStore'
>;

type Context = ProductContext<JournalPollerSettings>;

/** Sources are read this often at most, unless the worker's tick is shorter. */
const leastIntervalMs = 10_000;
/** Connectors whose sources are kept compiled. */
const maxConnectors = 20_000;

/** Files of watched folders that are known not to have changed. */
const maxFilesKnown = 100_000;

/** Puts journal-poller together on given parts: it has no routes. */
export function composeJournalPoller(parts: JournalPollerParts, context: Context): ServiceApp {
  const { logger, metrics, health, lifecycle, shared } = context;
  const supervisor = superviseReading(parts.bus, context);
  const directory = createConnectorDirectory({ reader: parts.configReader, keepKeys: false });
  const feed = followConnectors({ bus: parts.bus, directory, supervisor, logger });
  health.add('connector feed', feed.ready);
  const take = takeOf(parts, context);
  const { blobs, configReader: reader, sourceFiles: files, sourceReads: store } = parts;
  const { sourcePlaces: places, payloadRetentionMs: keptMs } = context.settings;
  const workers: Worker[] = [
    readWorkerOf(parts, context, { directory, take }),
    fileWorker({ ...{ blobs, directory, files, reader, store, take }, places: Math.max(1, Math.ceil(places / 16)) }),
    oldFilesWorker({ blobs, keptMs }),
    journalWorkerOf(parts, context, { directory, take }),
  ];
  const { installation } = shared ?? {};
  const { tasks } = parts;
  const background = addBackground({ service: 'journal-poller', workers, tasks, logger, metrics, installation }, lifecycle);
  const sourceTasks = new SourceTasks({
    store: parts.sourceReads, tasks: parts.tasks, types: [...polledTypes(), 'file'], woken: () => background.wake(), logger,
  });
  sourceTasks.follow(directory);
  lifecycle.add('connector feed', () => feed.start(), () => feed.stop());
  lifecycle.add('tasks of sources', () => sourceTasks.start(), () => sourceTasks.stop());
  return {};
}

function readWorkerOf(
  parts: JournalPollerParts, { settings, lifecycle, metrics }: Context, { directory, take }: {
    directory: ConnectorDirectory; take: TakeRead;
  },
): Worker {
  const { allowPrivateTargets, fileRoot, sourcePlaces: places, workerTickMs: tickMs } = settings;
  const client = createRestClient({ allowPrivateTargets });
  lifecycle.add('calls to polled servers', () => undefined, () => client.close());
  const { blobs, configReader: reader, sourceFiles: files, sourceReads: store } = parts;
  const looking = {
    ...{ blobs, files, reader, store }, root: fileRoot === null ? null : resolve(fileRoot), everyMs: tickMs,
    places: openWatchedFiles(settings),
    taken: new LRUCache<string, string>({ max: maxFilesKnown }),
  };
  const pages = createSourcePages({
    client, reader, monotonicNow: createMonotonicClock(), now: wallClock(), ...pageBounds,
  });
  return readWorker({
    ...{ store, directory, pages, take, places },
    published: createPublishedSources({ reader, maxConnectors }),
    pace: { tickMs, leastMs: Math.min(leastIntervalMs, tickMs) },
    lookForFiles: (context, watched) => lookForFiles(looking, context, watched),
    observer: createReadingObserver(metrics),
  });
}

/** Milliseconds that a call of the CRM may take. */
const crmTimeoutMs = 10_000;

function journalWorkerOf(
  { configReader: reader, crm, crmJournal, runStore, sourceReads }: JournalPollerParts,
  { settings, logger, portalBudget: budget }: Context,
  { directory, take }: { directory: ConnectorDirectory; take: TakeRead },
): Worker {
  const monotonicNow = createMonotonicClock();
  return journalWorker({
    journal: crm, store: crmJournal, sources: sourceReads, take, timeoutMs: crmTimeoutMs, everyMs: settings.journalPollMs,
    find: createJournalSources({ directory, reader, maxConnectors }),
    subscriptions: new JournalSubscriptions({ journal: crm, timeoutMs: crmTimeoutMs, logger }),
    crm: {
      client: crm, reader, budget, store: runStore, monotonicNow, sleep: (ms: number) => sleep(ms), callTimeoutMs: crmTimeoutMs,
    },
  });
}

/** The way into the log for what is read. */
function takeOf(parts: JournalPollerParts, { settings, metrics }: Context): TakeRead {
  const keys = settings.eventIdKeys ?? settings.encryptionKeys;
  if (keys === null) throw new Error('keys of event ids are needed');
  const now = wallClock();
  return createTakeRead({ intake: intakeOf(parts, metrics), ids: createEventIds(eventIdKeys(keys)), now });
}

function intakeOf({ blobs, bus, eventIndex, kv }: JournalPollerParts, metrics: Context['metrics']): Intake {
  const now = wallClock();
  const limits = createLimitStore({ shared: kv, metrics, now });
  return createIntake({
    bus, blobs, partitions: createPartitionCounts(bus),
    // Calls are not counted for what is read; events are.
    rateLimit: createRateLimit(limits, 0),
    quota: createQuota({ kv, index: eventIndex, now }),
  });
}
