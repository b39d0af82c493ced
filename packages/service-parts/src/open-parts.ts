import { join } from 'node:path';
import { createEmbeddedBus } from '@sluice/bus-embedded';
import { createKafkaBus } from '@sluice/bus-kafka';
import { allTopics } from '@sluice/contracts';
import { createCrmHttpClient } from '@sluice/crm-http';
import { createFolderBlobStore } from '@sluice/blob-folder';
import { createMemoryKeyValue } from '@sluice/kv-memory';
import { createRedisKeyValue } from '@sluice/kv-redis';
import type { BlobStore, ConfigReader, ConfigStore, CrmClient, EventBus, EventIndex, Keyring, KeyValue, Logger, RunStore } from '@sluice/ports';
import { createKeyring, type Lifecycle } from '@sluice/service-kit';
import { createConfigReader, createConfigStore, createEventIndex, createPool, createPrisma, createRunStore, migrate } from '@sluice/store-postgres';
import type { PartsSettings } from './parts-settings';
import { prepareDatabase } from './prepare-database';

/** The real CRM, for a deployment that names no other (CONTRACT 2). */
const crmHost = 'https://api.hubapi.com';

/** What services stand on, behind the ports. */
export interface Parts {
  /** For what is not behind a port yet: config-api's readiness. */
  pool: ReturnType<typeof createPool>;
  bus: EventBus;
  kv: KeyValue;
  blobs: BlobStore;
  crm: CrmClient;
  keyring: Keyring;
  runStore: RunStore;
  eventIndex: EventIndex;
  configReader: ConfigReader;
  configStore: ConfigStore;
}

export interface OpenPartsOptions {
  /** Shown to Postgres and Kafka as who is asking. */
  service: string;
  logger: Logger;
  /** Connections to Postgres at most. */
  poolSize?: number;
  /** Sockets to the CRM at most. */
  crmConnections?: number;
  /**
   * Set by the single-process installation: its name over restarts. Then Kafka and Redis may be left out, and what an
   * earlier life of it still holds is taken over at once.
   */
  installation?: string;
  /** The service is of use while Postgres cannot be reached: it starts then too. */
  startWithoutDatabase?: boolean;
}

function openBus(settings: PartsSettings, options: OpenPartsOptions, databaseUrl: string): EventBus {
  const { publishMaxAgeMs } = settings;
  if (settings.kafkaBrokers === null) {
    return createEmbeddedBus({ connectionString: databaseUrl, publishMaxAgeMs, ...(options.installation ? { member: options.installation, takeOver: true } : {}) });
  }
  const sasl = settings.kafkaSaslMechanism === null
    ? undefined
    : { mechanism: settings.kafkaSaslMechanism, username: settings.kafkaSaslUsername ?? '', password: settings.kafkaSaslPassword ?? '' };
  return createKafkaBus({
    brokers: settings.kafkaBrokers, clientId: options.service, ssl: settings.kafkaSsl, logger: options.logger, publishMaxAgeMs,
    ...(sasl ? { sasl } : {}),
    ...(settings.kafkaReplicationFactor === null ? {} : { replicationFactor: settings.kafkaReplicationFactor }),
  });
}

/**
 * Opens the parts that the settings name and hands them to the lifecycle: first in, last out. Postgres is migrated and
 * topics are created before anything else starts.
 * Throws when a part that has no embedded stand-in is not named; `externalParts` has the settings say it better beforehand.
 */
export function openParts(settings: PartsSettings, options: OpenPartsOptions, lifecycle: Pick<Lifecycle, 'add'>): Parts {
  const { databaseUrl, encryptionKeys } = settings;
  if (databaseUrl === null || encryptionKeys === null) throw new Error('a database and encryption keys are needed');
  const { logger } = options;
  // While it closes, a connection may still see its server go.
  let closing = false;
  const pool = createPool(databaseUrl, {
    max: options.poolSize ?? 10, applicationName: `sluice-${options.service}`, onError: (error) => (closing ? undefined : logger.warn('a database connection broke', { reason: error.message })),
  });
  const prisma = createPrisma(pool);
  const keyring = createKeyring(encryptionKeys);
  const bus = openBus(settings, options, databaseUrl);
  const kv = settings.redisUrl === null ? createMemoryKeyValue() : createRedisKeyValue({ url: settings.redisUrl });
  const crm = createCrmHttpClient({
    baseUrl: settings.crmBaseUrl ?? crmHost, clientId: settings.crmClientId ?? '', clientSecret: settings.crmClientSecret ?? '',
    ...(options.crmConnections === undefined ? {} : { connections: options.crmConnections }),
  });
  const database = prepareDatabase({ migrate: () => migrate(databaseUrl), startWithout: options.startWithoutDatabase ?? false, logger });
  lifecycle.add('database', database.start, async () => {
    closing = true;
    await database.stop();
    await prisma.$disconnect();
    await pool.end();
  });
  lifecycle.add('key-value store', () => undefined, () => kv.close());
  lifecycle.add('crm client', () => undefined, () => crm.close());
  lifecycle.add('event bus', () => bus.ensureTopics(allTopics), () => bus.close());
  return {
    pool, bus, kv, crm, keyring,
    blobs: createFolderBlobStore(join(settings.dataDir, 'blobs')),
    runStore: createRunStore(pool),
    eventIndex: createEventIndex(pool),
    configReader: createConfigReader(prisma, keyring),
    configStore: createConfigStore(prisma),
  };
}
