import { allTopics } from '@sluice/contracts';
import { createCrmHttpClient } from '@sluice/crm-http';
import { createMemoryKeyValue } from '@sluice/kv-memory';
import { createRedisKeyValue } from '@sluice/kv-redis';
import type {
  AssistantStore,
  BlobStore,
  BreakerStore,
  CompatCallStore,
  ServiceRequestStore,
  ConfigReader,
  ConfigStore,
  ConnectorReader,
  CrmClient,
  CrmFileClient,
  CrmJournal,
  EventBus,
  EventIndex,
  ExportSource,
  ExportStore,
  FunctionPlatform,
  ImportStore,
  Keyring,
  KeyValue,
  Logger,
  ConflictStore,
  MonitoringStore,
  PluginRunStore,
  PluginWorkStore,
  RecordStore,
  ReplayJobStore,
  RunStore,
  CrmJournalStore,
  SourceFileStore,
  SourceReadStore,
  TaskStore,
  VerificationStore,
  WriteCapStore,
} from '@sluice/ports';
import { createKeyring, type Lifecycle, type Metrics } from '@sluice/service-kit';
import {
  createAssistantStore,
  createCompatCallStore,
  createBreakerStore,
  createServiceRequestStore,
  createConfigReader,
  createConfigStore,
  createConnectorReader,
  createEventIndex,
  createExportSource,
  createExportStore,
  createImportStore,
  createFunctionCodeStore,
  createPluginRunStore,
  createPluginWorkStore,
  createPool,
  createPrisma,
  createConflictStore,
  createMonitoringStore,
  createRecordStore,
  createReplayJobStore,
  createRunStore,
  createCrmJournalStore,
  createSourceFileStore,
  createSourceReadStore,
  createTaskStore,
  createVerificationStore,
  createWriteCapStore,
  migrate,
  missingMigrations,
  type Prisma,
} from '@sluice/store-postgres';
import { openBlobStore } from './open-blob-store';
import { openBus } from './open-bus';
import { openFunctions } from './open-functions';
import {
  type CrmPartsSettings, type FunctionPartsSettings, type PartsSettings, retentionOf, type StoreSettings,
} from './parts-settings';
import { prepareDatabase } from './prepare-database';
import { waitForMigrations } from './wait-for-migrations';
import { watchKeyValue } from './watch-key-value';

/** The real CRM, for a deployment that names no other. */
const crmHost = 'https://api.hubapi.com';
/** Where its forms are submitted. */
const formsHost = 'https://api.hsforms.com';

/** The ports that every service uses. */
export interface StoreParts {
  bus: EventBus;
  kv: KeyValue;
  blobs: BlobStore;
  runStore: RunStore;
  records: RecordStore;
  conflicts: ConflictStore;
  compatCalls: CompatCallStore;
  requests: ServiceRequestStore;
  crmJournal: CrmJournalStore;
  sourceFiles: SourceFileStore;
  sourceReads: SourceReadStore;
  eventIndex: EventIndex;
  connectorReader: ConnectorReader;
  configStore: ConfigStore;
  exports: ExportStore;
  exportSource: ExportSource;
  tasks: TaskStore;
  monitoring: MonitoringStore;
  replayJobs: ReplayJobStore;
  assistant: AssistantStore;
  breakers: BreakerStore;
  imports: ImportStore;
  verifications: VerificationStore;
  writeCaps: WriteCapStore;
}

/** The same, with the platform and the stores of plugins. */
export interface FunctionParts extends StoreParts {
  functions: FunctionPlatform;
  pluginRuns: PluginRunStore;
  pluginWork: PluginWorkStore;
}

/** The ports that every service uses, with the CRM and the keys that open its credentials. */
export interface CrmParts extends StoreParts {
  crm: CrmClient & CrmFileClient & CrmJournal;
  keyring: Keyring;
  configReader: ConfigReader;
}

/** All ports. */
export interface Parts extends CrmParts, FunctionParts {}

export interface OpenPartsOptions {
  /** The client name that Postgres and Kafka see. */
  service: string;
  logger: Logger;
  metrics: Metrics;
  /** Connections to Postgres at most. */
  poolSize?: number;
  /** How long a caller waits for one of them, milliseconds. Default 5,000. */
  connectionTimeoutMs?: number;
  /** Sockets to the CRM at most. */
  crmConnections?: number;
  /**
   * Set by the single-process installation: its name over restarts. Then Kafka and Redis may be left out, and what an
   * earlier life of it still holds is taken over at once.
   */
  installation?: string;
  /** The service also starts while Postgres cannot be reached. */
  startWithoutDatabase?: boolean;
}

/** Opens all parts. See `openStoreParts`. */
export function openParts(settings: PartsSettings, options: OpenPartsOptions, lifecycle: Pick<Lifecycle, 'add'>): Parts {
  const opened = openCrm(settings, options, lifecycle);
  const { pool: _pool, prisma: _prisma, ...parts } = { ...opened, ...openPlugins(settings, options, lifecycle, opened) };
  return parts;
}

/** Opens the parts of a service that runs plugins and does not call the CRM. See `openStoreParts`. */
export function openFunctionParts(
  settings: FunctionPartsSettings, options: OpenPartsOptions, lifecycle: Pick<Lifecycle, 'add'>,
): FunctionParts {
  const { pool, prisma, ...stores } = openStores(settings, options, lifecycle);
  return { ...stores, ...openPlugins(settings, options, lifecycle, { pool, prisma }) };
}

function openCrm(
  settings: CrmPartsSettings, options: OpenPartsOptions, lifecycle: Pick<Lifecycle, 'add'>,
): CrmParts & OpenedStores {
  if (settings.encryptionKeys === null) throw new Error('encryption keys are needed');
  const keyring = createKeyring(settings.encryptionKeys);
  const crm = createCrmHttpClient({
    baseUrl: settings.crmBaseUrl ?? crmHost, formsBaseUrl: settings.crmBaseUrl ?? formsHost,
    clientId: settings.crmClientId ?? '', clientSecret: settings.crmClientSecret ?? '',
    ...(options.crmConnections === undefined ? {} : { connections: options.crmConnections }),
  });
  lifecycle.add('crm client', () => undefined, () => crm.close());
  const opened = openStores(settings, options, lifecycle);
  return { ...opened, crm, keyring, configReader: createConfigReader(opened.prisma, keyring) };
}

function openPlugins(
  settings: FunctionPartsSettings, { logger }: OpenPartsOptions, lifecycle: Pick<Lifecycle, 'add'>,
  { pool, prisma }: Pick<OpenedStores, 'pool' | 'prisma'>,
): Omit<FunctionParts, keyof StoreParts> {
  const functions = openFunctions(settings, { store: createFunctionCodeStore(pool), logger });
  lifecycle.add('functions', () => undefined, () => functions.close());
  return { functions, pluginRuns: createPluginRunStore(pool), pluginWork: createPluginWorkStore(prisma) };
}

/**
 * Opens the parts that the settings name and hands them to the lifecycle: first in, last out. Postgres is migrated and topics are
 * created before anything else starts. Throws when a part without an embedded replacement is not named; with `externalStores` the
 * settings check reports that earlier and better.
 */
export function openStoreParts(
  settings: StoreSettings,
  options: OpenPartsOptions,
  lifecycle: Pick<Lifecycle, 'add'>,
): StoreParts {
  const { pool: _pool, prisma: _prisma, ...stores } = openStores(settings, options, lifecycle);
  return stores;
}

const migratedByOthers = (url: string): (() => Promise<void>) => waitForMigrations({ missing: () => missingMigrations(url) });

function openKeyValue({ redisUrl: url, redisTimeoutMs: timeoutMs }: StoreSettings, options: OpenPartsOptions): KeyValue {
  return url === null ? createMemoryKeyValue() : watchKeyValue(createRedisKeyValue({ url, timeoutMs }), options);
}

interface OpenedStores extends StoreParts {
  pool: ReturnType<typeof createPool>;
  prisma: Prisma;
}

function openStores(
  settings: StoreSettings,
  options: OpenPartsOptions,
  lifecycle: Pick<Lifecycle, 'add'>,
): OpenedStores {
  const { databaseUrl } = settings;
  if (databaseUrl === null) throw new Error('a database is needed');
  const { logger } = options;
  // While the pool closes, a connection may still notice that its server went away.
  let closing = false;
  const pool = createPool(databaseUrl, {
    max: options.poolSize ?? 10, applicationName: `sluice-${options.service}`,
    connectionTimeoutMs: options.connectionTimeoutMs, statementTimeoutMs: settings.databaseTimeoutMs,
    onError: (error) => (closing ? undefined : logger.warn('a database connection broke', { reason: error.message })),
  });
  const prisma = createPrisma(pool);
  const bus = openBus(settings, options, databaseUrl);
  const kv = openKeyValue(settings, options);
  const database = prepareDatabase({
    migrate: settings.migrations === 'wait' ? migratedByOthers(databaseUrl) : () => migrate(databaseUrl),
    startWithout: options.startWithoutDatabase ?? false,
    logger,
  });
  lifecycle.add('database', database.start, async () => {
    closing = true;
    await database.stop();
    await prisma.$disconnect();
    await pool.end();
  });
  lifecycle.add('key-value store', () => undefined, () => kv.close());
  lifecycle.add('event bus', () => bus.ensureTopics(allTopics), () => bus.close());
  return { pool, prisma, bus, kv, blobs: openBlobStore(settings), ...storesOn(pool, prisma, settings, databaseUrl) };
}

/** The stores on one pool. Data exports read through a connection of their own. */
function storesOn(
  pool: ReturnType<typeof createPool>, prisma: Prisma, settings: StoreSettings, databaseUrl: string,
): Omit<StoreParts, 'bus' | 'kv' | 'blobs'> {
  const retention = retentionOf(settings);
  return {
    runStore: createRunStore(pool),
    crmJournal: createCrmJournalStore(pool),
    sourceFiles: createSourceFileStore(pool, prisma),
    sourceReads: createSourceReadStore(pool),
    records: createRecordStore(pool, prisma, retention),
    conflicts: createConflictStore(pool, retention),
    compatCalls: createCompatCallStore(pool),
    requests: createServiceRequestStore(pool),
    eventIndex: createEventIndex(pool, retention),
    connectorReader: createConnectorReader(prisma),
    configStore: createConfigStore(prisma),
    exports: createExportStore(pool, prisma),
    exportSource: createExportSource(databaseUrl, retention),
    tasks: createTaskStore(pool),
    monitoring: createMonitoringStore(pool, retention),
    replayJobs: createReplayJobStore(pool, prisma, retention),
    assistant: createAssistantStore(pool),
    breakers: createBreakerStore(pool),
    writeCaps: createWriteCapStore(pool, prisma),
    imports: createImportStore(pool, prisma, retention),
    verifications: createVerificationStore(pool, prisma, retention),
  };
}
