import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addBackground, defineWorker, type Worker } from '@sluice/background';
import {
  type ConnectorDirectory, type ConnectorFeed, type ConnectorKeys, createConnectorDirectory, createConnectorKeys,
  eventApiAsksMs, followBreakers, followConnectors,
} from '@sluice/connector-feed';
import { eventsInbound, eventsOutbound, ingestRoutes } from '@sluice/contracts';
import {
  createEventIds, createIntake, createPartitionCounts, createQuota, createRateLimit, eventIdKeys, type EventIds,
} from '@sluice/event-intake';
import { type AskVerify, createAskVerify } from '@sluice/event-verify';
import {
  type BlobStore, type BreakerStore, type CompatCallStore, type ConfigStore, type ConnectorReader, type EventBus,
  type EventIndex, type KeyValue, type MonitoringStore, type MonotonicClock, type ServiceRequestStore, type TaskStore,
  type WallClock, wallClock,
} from '@sluice/ports';
import {
  apiError, type CallerAddress, callerAddress, callerNetwork, createHttpApp, createMonotonicClock, httpDurations,
  type HttpRoute, type ReadingSupervisor,
} from '@sluice/service-kit';
import { createLimitStore, createProcessCounts, type ProductContext, retentionOf, superviseReading } from '@sluice/service-parts';
import type { RequestHandler } from 'express';
import { type CallsParts, composeCalls } from './compose-calls';
import { createAcceptEvent } from './accept/accept-event';
import { createAcceptHandler } from './accept/accept-handler';
import { createStoppedFlows } from './accept/stopped-flows';
import { createIdempotencyCache } from './accept/idempotency-cache';
import { createAuthenticateKey } from './connectors/authenticate-key';
import { createFlowIndexes, type FlowIndexes } from './connectors/flow-indexes';
import { createKeyUse } from './connectors/key-use';
import { createIndexConsumer, type IndexConsumer } from './event-index/index-consumer';
import { type CallerTurns, createCallerTurns } from './limits/caller-turns';
import { createLookUps } from './limits/look-ups';
import { createWorkBudget } from './limits/work-budget';
import { getEventStatus, type GetEventStatusDeps } from './routes/get-event-status';
import { getEventVerify } from './routes/get-event-verify';
import { deleteOldPayloads } from './maintenance/delete-old-payloads';
import type { IngestApiSettings } from './settings';
import { createReadEventProgress } from './status/read-event-progress';

/** What ingest-api stands on, behind the ports. */
export interface IngestApiParts {
  bus: EventBus;
  kv: KeyValue;
  blobs: BlobStore;
  connectorReader: Pick<ConnectorReader, 'connector' | 'connectorByKeyHash' | 'flowIndex' | 'versionSources' | 'sourceStates'>;
  eventIndex: EventIndex;
  configStore: { connectors: Pick<ConfigStore['connectors'], 'noteKeyUse'> } & CallsParts['configStore'];
  compatCalls: CompatCallStore;
  tasks: TaskStore;
  /** What it asks of services that have what it must not have. */
  requests: ServiceRequestStore;
  monitoring: Pick<MonitoringStore, 'addProcessCounts'>;
  breakers: Pick<BreakerStore, 'changed'>;
}

/** What tests replace. */
export interface IngestApiReplacements {
  /** Default: the machine's clocks. */
  now?: WallClock;
  monotonicNow?: MonotonicClock;
  /** Answers are checked against their contracts. */
  validateAnswers?: boolean;
}

type Context = ProductContext<IngestApiSettings>;

/** What everything is put together of. */
interface Composing extends IngestApiReplacements {
  parts: IngestApiParts;
  context: Context;
  supervisor: ReadingSupervisor;
}

const maintainEveryMs = 3_600_000;
const maintainLeaseMs = 30_000;
/** A request to another service whose asker has died is deleted when it is so old. */
const oldRequestMs = 600_000;
/**
 * Not ready only after a second failure: events are still accepted, and one failed read must not take every instance out of
 * service.
 */
const readingPatienceMs = 10_000;

/**
 * Puts ingest-api together on given parts: the event plane, and beside it the connector feed, the event index and maintenance.
 * `handle` answers every path of the event plane.
 */
export function composeIngestApi(
  parts: IngestApiParts, context: Context, replaced: IngestApiReplacements = {},
): { handle: RequestListener } {
  const { settings, logger, metrics, health, lifecycle, shared } = context;
  const supervisor = superviseReading(parts.bus, context, readingPatienceMs);
  const composing = { ...replaced, parts, context, supervisor };
  const { accept, breakers, calls, read, keyUse, counts, feed, partitions } = routesOf(composing);
  const indexConsumer = indexConsumerOf(composing);
  health.add('connector feed', feed.ready);
  if (settings.eventIndex) health.add('event index', indexConsumer.ready);
  const { installation } = shared ?? {};
  const workers = [...maintenanceOf(composing)];
  addBackground({ service: 'ingest-api', workers, tasks: parts.tasks, logger, metrics, installation }, lifecycle);
  lifecycle.add('use of keys', keyUse.start, keyUse.stop);
  lifecycle.add('counts', counts.start, counts.stop);
  lifecycle.add('flow breakers', breakers.start, breakers.stop);
  lifecycle.add('activity of sources', calls.use.start, calls.use.stop);
  lifecycle.add('calls to replaced services', () => undefined, calls.close);
  if (settings.eventIndex) lifecycle.add('event index', indexConsumer.start, indexConsumer.stop);
  lifecycle.add('connector feed', async () => {
    await partitions.of(eventsInbound.name);
    await feed.start();
  }, feed.stop);
  return {
    handle: (request, response) => {
      if (request.method === 'POST' && isAcceptPath(request.url)) accept(request, response);
      else (calls.handlerOf(request) ?? read)(request, response);
    },
  };
}

/** The two routes of the event plane, and what keeps their keys and flows up to date. */
function routesOf(composing: Composing) {
  const { parts, context, now = wallClock(), monotonicNow = createMonotonicClock(), validateAnswers = false } = composing;
  const { settings, logger, metrics, publicUrl } = context;
  const { rateLimitScale, stuckAfterMs, eventTtlMs, historyRetentionMs, trustProxy } = settings;
  const ids = eventIdsOf(settings);
  const flows = createFlowIndexes({ reader: parts.connectorReader, maxFlows: settings.flowIndexCache, logger, monotonicNow });
  const { directory, keys, feed } = connectorsOf(composing, flows);
  const keyUse = createKeyUse({ store: parts.configStore.connectors, logger, now });
  const counts = createProcessCounts({ store: parts.monitoring, logger });
  const budget = createWorkBudget(rateLimitScale, monotonicNow);
  const authenticate = createAuthenticateKey(
    { keys, reader: parts.connectorReader, lookUps: createLookUps({ budget, monotonicNow }), now, used: keyUse.used },
  );
  const partitions = createPartitionCounts(parts.bus);
  const { bus, blobs, kv } = parts;
  const limits = createLimitStore({ shared: kv, metrics, now });
  const intake = createIntake({
    ...{ bus, blobs, partitions },
    rateLimit: createRateLimit(limits, rateLimitScale),
    quota: createQuota({ kv, index: parts.eventIndex, now }),
  });
  const upgradeUrl = `${publicUrl}/billing`;
  const breakers = followBreakers({ store: parts.breakers, logger, monotonicNow, everyMs: eventApiAsksMs });
  const stoppedFlows = createStoppedFlows({ breakers, flows });
  const [docsUrl, refusing] = [`${publicUrl}/docs`, { stoppedFlows, upgradeUrl }];
  const acceptEvent = createAcceptEvent({
    ...{ ids, now, flows, intake, breakers, docsUrl, ...refusing },
    idempotencyCache: createIdempotencyCache(kv, logger),
  });
  const [turns, addressOf] = [createCallerTurns(), callerAddress(trustProxy)];
  const handling = { addressOf, logger, counts, durations: httpDurations(metrics) };
  const accept = createAcceptHandler({ ...handling, authenticate, budget, turns, accept: acceptEvent });
  const calls = composeCalls({
    ...handling, parts, settings, directory, intake, ids, limits, budget, turns, docsUrl, ...refusing, now, monotonicNow,
  });
  directory.onChange(calls.published.apply);
  const verify = askVerifyOf(composing, monotonicNow);
  const readEventProgress = createReadEventProgress({
    ids, index: parts.eventIndex, now, stuckAfterMs, eventTtlMs, historyRetentionMs,
  });
  const app = createHttpApp({
    ...{ logger, metrics, trustProxy, validateAnswers },
    routes: readRoutes({ authenticate, budget, readEventProgress }, verify),
    // Reached only with another spelling of the path (a trailing slash, capitals), which express treats as the same path.
    mount: (express) => void express.post(acceptPath, accept).all([acceptPath, ...webhookPaths], methodNotAllowed),
  });
  return { accept, breakers, calls, read: inTurns(app, turns, addressOf), keyUse, counts, feed, partitions };
}

/** A request that the app serves costs more than an event: its callers take turns. */
function inTurns(app: RequestListener, turns: CallerTurns, addressOf: CallerAddress): RequestListener {
  return (request, response) => {
    const turn = turns.next(callerNetwork(addressOf(request)));
    if (turn) void turn.then(() => app(request, response));
    else app(request, response);
  };
}

function indexConsumerOf({ parts, context: { logger, metrics }, supervisor }: Composing): IndexConsumer {
  const topics = [eventsInbound.name, eventsOutbound.name];
  const waits = { sleep: (ms: number) => sleep(ms) };
  return createIndexConsumer({ bus: parts.bus, index: parts.eventIndex, topics, supervisor, logger, metrics, ...waits });
}

/** Hourly maintenance: deletes old rows and old payloads. */
function maintenanceOf(composing: Composing): Worker[] {
  const { parts, context } = composing;
  const { settings, logger } = context;
  const { payloadRetentionMs, eventTtlMs } = settings;
  const { eventIndex: index } = parts;
  const maintain = async () => index.maintain(await index.storeTime(), retentionOf(settings));
  const deleteOld = () => deleteOldPayloads({ blobs: parts.blobs, logger, index, payloadRetentionMs, eventTtlMs });
  const hourly = { schedule: { every: maintainEveryMs }, leaseMs: maintainLeaseMs };
  return [
    defineWorker({ name: 'events.maintenance', ...hourly, run: maintain }),
    defineWorker({ name: 'events.old-payloads', ...hourly, run: deleteOld }),
    defineWorker({ name: 'requests.old', ...hourly, run: async () => void (await parts.requests.deleteOlder(oldRequestMs)) }),
    defineWorker({ name: 'compat.old-calls', ...hourly, run: () => deleteOldCalls(composing) }),
  ];
}

/** A call says by its id that it has expired, also once it is deleted. */
async function deleteOldCalls({ parts, context: { settings, logger } }: Composing): Promise<void> {
  const deleted = await parts.compatCalls.deleteOlder(settings.compatRetentionMs);
  if (deleted > 0) logger.info('old compat calls deleted', { deleted });
}

const readRoutes = (deps: GetEventStatusDeps, verify: AskVerify): HttpRoute[] =>
  [getEventStatus(deps), getEventVerify({ ...deps, verify })];

/** This service must not have the keys that open the credentials of the CRM: another one reads it. */
function askVerifyOf({ parts: { requests, tasks }, context }: Composing, monotonicNow: MonotonicClock): AskVerify {
  const { verifyWaitMs: waitMs } = context.settings;
  return createAskVerify({ requests, tasks, waitMs, monotonicNow, sleep: (ms) => sleep(ms) });
}

/** The connectors and their keys, and the feed that keeps them up to date. */
function connectorsOf(
  { parts, context: { logger }, supervisor }: Composing, flows: FlowIndexes,
): { directory: ConnectorDirectory; keys: ConnectorKeys; feed: ConnectorFeed } {
  const directory = createConnectorDirectory({ reader: parts.connectorReader, keepKeys: true });
  const keys = createConnectorKeys(directory);
  directory.onChange(flows.apply);
  return { directory, keys, feed: followConnectors({ bus: parts.bus, directory, supervisor, logger }) };
}

function eventIdsOf({ eventIdKeys: own, encryptionKeys }: IngestApiSettings): EventIds {
  const keys = own ?? encryptionKeys;
  if (keys === null) throw new Error('keys of event ids are needed');
  return createEventIds(eventIdKeys(keys));
}

const acceptPath = ingestRoutes.acceptEvent.path;
/** Served on node:http for POST alone. */
const webhookPaths = [ingestRoutes.receiveWebhook.path, ingestRoutes.receiveUnsignedWebhook.path];
const isAcceptPath = (url: string | undefined): boolean => url === acceptPath || url?.startsWith(`${acceptPath}?`) === true;

const methodNotAllowed: RequestHandler = () => {
  throw apiError('Method Not Allowed', {}, { Allow: 'POST' });
};
