import {
  allTopics,
  connectorChanges,
  type ConnectorChange,
  decodeEnvelope,
  eventsInbound,
  type EventEnvelope,
  type FlowIndexEntry,
  maxKeysInChange,
} from '@sluice/contracts';
import { BackgroundRunner } from '@sluice/background';
import { type VerifyUnits, verifyWorker } from '@sluice/event-verify';
import { createMemoryKeyValue } from '@sluice/kv-memory';
import {
  type BlobStore, type CompatCallStore, monotonicClock, type ReceivedMessage, type SourceActivity, StoreUnavailable, wallClock,
} from '@sluice/ports';
import {
  createMemoryBlobStore,
  createMemoryBreakerStore,
  createMemoryBus,
  createMemoryCompatCalls,
  createMemoryEventIndex,
  createMemoryLog,
  createMemoryRunStore,
  createMemoryServiceRequests,
  createMemoryTaskStore,
  createRecordingLogger,
  type LogLine,
  type MemoryBreakerStore,
  type MemoryLog,
  until,
} from '@sluice/ports/testing';
import { createHttpServer, createMonotonicClock, generateKeyringSetting, healthApp, parseSettings } from '@sluice/service-kit';
import { retentionOf } from '@sluice/service-parts';
import { testContext } from '@sluice/service-parts/test-support';
import { composeIngestApi, type IngestApiParts } from '../compose';
import { ingestApiSettings, type IngestApiSettings } from '../settings';
import { flowsOfTests, rawKey } from '@sluice/connector-feed/testing';
import { type PublishedForCalls, statesOf, webhookKeys } from './published-for-calls';

export type { PublishedForCalls } from './published-for-calls';

/** What a test can break while the service runs. */
export interface Faults {
  publish?: 'refused' | 'unknown' | 'lost';
  /** The outcome per partition; decided before `publish`. */
  publishTo?(partition: number): 'refused' | 'unknown' | 'lost' | undefined;
  kvDown?: boolean;
  databaseDown?: boolean;
  blobsDown?: boolean;
  now?: number;
}

export interface TestIngestApi {
  url: string;
  faults: Faults;
  log: MemoryLog;
  store: ReturnType<typeof createMemoryRunStore>;
  index: ReturnType<typeof createMemoryEventIndex>;
  blobs: BlobStore;
  lookUps: string[];
  /** Hashes of keys whose use was written to the store. */
  keysUsed: string[];
  /** Connectors that are in the database and not in the topic. */
  database: ConnectorChange[];
  /** Flow indexes by `<connector id>/<version>`; what is not here has the flows of a-connector. */
  flows: Map<string, FlowIndexEntry[]>;
  /** Versions whose flow index was read. */
  flowReads: string[];
  announce(change: ConnectorChange): Promise<void>;
  /** What connectors have published for external systems, by connector; `announce` says that it changed. */
  published: Map<string, PublishedForCalls>;
  /** Connectors whose sources were read. */
  sourceReads: string[];
  /** What was noted of sources. */
  activities: SourceActivity[];
  breakers: MemoryBreakerStore;
  /** Compat keys by `<connector id>/<hash>`. */
  compatKeys: Map<string, string>;
  compatCalls: CompatCallStore;
  /** Sends a request as it is. */
  send(path: string, init: RequestInit): Promise<Answer>;
  /** What the service has logged. */
  lines: readonly LogLine[];
  envelopes(): EventEnvelope[];
  messages(): ReceivedMessage[];
  post(body: unknown, headers?: Record<string, string | undefined>): Promise<Answer>;
  status(eventId: string, key?: string): Promise<Answer>;
  get(path: string): Promise<Answer>;
  stop(): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: any;
}

interface StartOptions {
  /** What the service does that reads the CRM; null: there is none. Default: it can verify nothing. */
  verifyUnits?: VerifyUnits | null;
  /** Another process of the same installation: log, database and blobs are shared, the key-value store is not. */
  beside?: TestIngestApi;
}

const nothingVerifiable: VerifyUnits = async (_connector, units) =>
  units.map(({ externalId: external_id, entityName: entity_name }) => (
    { entity_name, external_id, crm_id: null, status: 'not_verifiable', properties: [], reason: 'a test' }
  ));

const env = {
  SLUICE_EVENT_ID_KEYS: generateKeyringSetting(), SLUICE_WEBHOOK_KEYS: webhookKeys, SLUICE_PUBLIC_URL: 'https://sluice.test',
};

/** ingest-api over real HTTP, on in-memory parts. */
export async function startIngestApi(
  connectors: ConnectorChange[],
  changes: Partial<IngestApiSettings> = {},
  { verifyUnits = nothingVerifiable, beside }: StartOptions = {},
): Promise<TestIngestApi> {
  const settings = { ...parseSettings(ingestApiSettings, env), readingWaitsMs: [50], rateLimitScale: 0, ...changes };
  const faults: Faults = {};
  const log = beside?.log ?? createMemoryLog();
  const bus = createMemoryBus({
    log,
    fault: (topic, partition) => (topic === eventsInbound.name ? (faults.publishTo?.(partition) ?? faults.publish) : undefined),
  });
  await bus.ensureTopics(allTopics);
  const store = beside?.store ?? createMemoryRunStore();
  const now = (): number => faults.now ?? Date.now();
  const index = beside?.index ?? createMemoryEventIndex(store, now, retentionOf(settings));
  const blobs = beside?.blobs ?? createMemoryBlobStore({ unavailable: () => faults.blobsDown === true });
  const breakers = beside?.breakers ?? createMemoryBreakerStore();
  const lookUps: string[] = [];
  const keysUsed: string[] = [];
  const database: ConnectorChange[] = [];
  const flows = new Map<string, FlowIndexEntry[]>();
  const flowReads: string[] = [];
  const published = new Map<string, PublishedForCalls>();
  const sourceReads: string[] = [];
  const activities: SourceActivity[] = [];
  const compatKeys = beside?.compatKeys ?? new Map<string, string>();
  const compatCalls = beside?.compatCalls ?? createMemoryCompatCalls(now);
  const assertUp = (): void => {
    if (faults.databaseDown) throw new StoreUnavailable('down');
  };
  const [tasks, requests] = [createMemoryTaskStore(), createMemoryServiceRequests()];
  const logger = createRecordingLogger();
  const context = testContext('ingest-api', settings, { logger });
  const { health, lifecycle } = context;
  const parts: IngestApiParts = {
    bus,
    kv: createMemoryKeyValue({ now, unavailable: () => faults.kvDown === true }),
    blobs,
    connectorReader: {
      connector: async (id) => {
        assertUp();
        return database.find(({ connector_id }) => connector_id === id) ?? null;
      },
      versionSources: async (id) => {
        sourceReads.push(id);
        assertUp();
        return published.get(id) ?? null;
      },
      sourceStates: async (id) => {
        assertUp();
        const now = published.get(id);
        return now ? statesOf(id, now) : [];
      },
      connectorByKeyHash: async (hash) => {
        lookUps.push(hash);
        if (faults.databaseDown) throw new StoreUnavailable('down');
        for (const change of database) {
          const key = change.keys.find((one) => one.hash === hash);
          if (key) return { change: { ...change, keys: change.keys.slice(0, maxKeysInChange) }, key };
        }
        return null;
      },
      flowIndex: async (id, version) => {
        flowReads.push(`${id}/${version}`);
        if (faults.databaseDown) throw new StoreUnavailable('down');
        return flows.get(`${id}/${version}`) ?? flowsOfTests;
      },
    },
    eventIndex: whileUp(index, faults),
    configStore: {
      connectors: { noteKeyUse: async (uses) => void keysUsed.push(...uses.map(({ hash }) => hash)) },
      sources: { note: async (notes) => void activities.push(...notes) },
      compatKeys: {
        use: async (id, hash) => {
          assertUp();
          const key = compatKeys.get(`${id}/${hash}`);
          return key === undefined ? null : { id: key };
        },
      },
    },
    compatCalls: whileUp(compatCalls, faults),
    tasks,
    requests,
    monitoring: { addProcessCounts: async () => undefined },
    breakers: whileUp(breakers, faults),
  };
  const { handle } = composeIngestApi(parts, context, {
    now: wallClock(now), monotonicNow: monotonicClock(now), validateAnswers: true,
  });
  if (verifyUnits) {
    const worker = verifyWorker({ requests, connectors: parts.connectorReader, verifyUnits, places: 4 });
    const other = new BackgroundRunner({
      tasks, workers: [worker], owner: 'the service that reads the CRM', logger, metrics: context.metrics,
      monotonicNow: createMonotonicClock(), pollMs: 20,
    });
    lifecycle.add('the service that reads the CRM', () => other.start(), () => other.stop());
  }
  const http = createHttpServer({ app: healthApp(context, handle), port: 0 });
  lifecycle.add('http', http.start, http.stop);
  lifecycle.add(
    'readiness',
    () => undefined,
    () => health.drain(),
  );
  const announce = async (change: ConnectorChange): Promise<void> => {
    await bus.publish(connectorChanges.name, 0, [{ key: change.connector_id, value: Buffer.from(JSON.stringify(change)) }]);
  };
  for (const connector of connectors) await announce(connector);
  await lifecycle.start();
  const url = `http://127.0.0.1:${http.port()}`;
  const messages = (): ReceivedMessage[] => (log.topics.get(eventsInbound.name)?.partitions ?? []).flat();
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : parsed(text) };
  };
  return {
    url,
    faults,
    log,
    store,
    index,
    blobs,
    breakers,
    lookUps,
    keysUsed,
    database,
    flows,
    flowReads,
    published,
    sourceReads,
    activities,
    compatKeys,
    compatCalls,
    announce,
    send: ask,
    messages,
    lines: logger.lines,
    envelopes: () =>
      messages()
        .map(({ value }) => decodeEnvelope(value as Buffer))
        .sort((a, b) => a.entity_index - b.entity_index),
    post: (body, headers = {}) =>
      ask('/api/v1/events', {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: given({ 'x-api-key': rawKey, 'content-type': 'application/json', ...headers }),
      }),
    status: (eventId, key = rawKey) => ask(`/api/v1/events/${eventId}/status`, { headers: { 'x-api-key': key } }),
    get: (path) => ask(path, {}),
    stop: async () => {
      await lifecycle.stop('test');
      await bus.close();
    },
  };
}

export const eventually = (what: string, look: () => boolean | Promise<boolean>): Promise<void> => until(what, look);

function parsed(text: string): unknown {
  return text.startsWith('{') ? JSON.parse(text) : text;
}

function given(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function whileUp<T extends object>(index: T, faults: Faults): T {
  return new Proxy(index, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]) => {
        if (faults.databaseDown) throw new StoreUnavailable('down');
        return Reflect.apply(value, target, given) as unknown;
      };
    },
  });
}
