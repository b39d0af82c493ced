import { createKafkaBus } from '@sluice/bus-kafka';
import { allTopics } from '@sluice/contracts';
import { createCrmHttpClient } from '@sluice/crm-http';
import { createRedisKeyValue } from '@sluice/kv-redis';
import type { CrmClient, EventBus, Keyring, KeyValue, Logger } from '@sluice/ports';
import { createHealth, createHttpApp, createKeyring, createLogger, createMetrics, type Health, type Lifecycle, type Metrics } from '@sluice/service-kit';
import { createConfigReader, createConfigStore, createEventIndex, createPool, createPrisma, createRunStore, migrate } from '@sluice/store-postgres';
import cookieParser from 'cookie-parser';
import type { Express } from 'express';
import { createAuthenticate, createAuthenticateOperator } from './auth/create-authenticate';
import { createSessionTokens } from './auth/session-token';
import type { Deps, ServiceStanding } from './deps';
import { mountDocs } from './docs/mount-docs';
import { assertParts } from './missing-parts';
import { createRateLimit } from './plan/create-rate-limit';
import { createOutboxRelay } from './relay/create-outbox-relay';
import { configApiRoutes } from './routes';
import type { ConfigApiSettings } from './settings';
import { createSweeps } from './sweeps';
import { serviceVersion } from './version';

/** Parts that others own: in one process several services share them. What is given is neither started nor closed here. */
export interface ConfigApiOverrides {
  /** A migrated database. */
  pool?: ReturnType<typeof createPool>;
  bus?: EventBus;
  kv?: KeyValue;
  crm?: CrmClient;
  keyring?: Keyring;
  logger?: Logger;
  metrics?: Metrics;
  publicUrl?(): string;
  /** Every service of the process; default: this one. */
  services?(): ServiceStanding[];
  /** Groups whose lag the overview shows. */
  consumerGroups?: Deps['consumerGroups'];
  /** For tests: answers are checked against their contracts. */
  validateAnswers?: boolean;
}

/** A composed config-api: its app, and its parts for a lifecycle of whoever runs it. */
export interface ConfigApi {
  app: Express;
  health: Health;
  logger: Logger;
  /** Adds stores, topics, relay and sweeps, in that order. The HTTP server is the caller's. */
  addParts(lifecycle: Lifecycle): void;
}

/** Puts config-api together. Throws a SettingsError that names every part it cannot do without. */
export function composeConfigApi(settings: ConfigApiSettings, overrides: ConfigApiOverrides = {}): ConfigApi {
  assertParts(settings, { database: overrides.pool !== undefined, bus: overrides.bus !== undefined, kv: overrides.kv !== undefined });
  const logger = overrides.logger ?? createLogger({ service: 'config-api', level: settings.logLevel });
  const metrics = overrides.metrics ?? createMetrics({ service: 'config-api' });
  const health = createHealth();
  const ports = composePorts(settings, overrides, logger);
  const deps = composeDeps(settings, overrides, ports, logger);
  const relay = createOutboxRelay({ outbox: deps.store.outbox, bus: deps.bus, logger });
  const sweeps = createSweeps(deps.store, logger);
  health.add('store', async () => { await ports.pool.query('SELECT 1'); return { ok: true }; });
  health.add('outbox', () => (relay.sinceLastSuccessMs() < relayStuckMs ? { ok: true } : { ok: false, reason: 'the outbox relay makes no progress' }));
  const app = createHttpApp({
    routes: configApiRoutes(deps), logger, metrics, health, trustProxy: settings.trustProxy, before: [cookieParser()], validateAnswers: overrides.validateAnswers,
    mount: (express) => mountDocs(express, { version: serviceVersion, publicUrl: deps.publicUrl }),
  });
  return {
    app, health, logger,
    addParts: (lifecycle) => {
      if (!overrides.pool) lifecycle.add('store', () => migrate(settings.databaseUrl!).then(() => undefined), () => ports.pool.end());
      if (!overrides.kv) lifecycle.add('key-value store', () => undefined, () => deps.kv.close());
      if (!overrides.bus) lifecycle.add('bus', () => undefined, () => deps.bus.close());
      lifecycle.add('topics', () => deps.bus.ensureTopics(allTopics), () => undefined);
      lifecycle.add('outbox relay', () => relay.start(), () => relay.stop());
      lifecycle.add('sweeps', () => sweeps.start(), () => sweeps.stop());
    },
  };
}

/** Milliseconds without a good round after which the relay counts as stuck. */
const relayStuckMs = 60_000;
const crmHost = 'https://api.hubapi.com';

function composePorts(settings: ConfigApiSettings, overrides: ConfigApiOverrides, logger: Logger) {
  const pool = overrides.pool ?? createPool(settings.databaseUrl!, { applicationName: 'config-api', onError: (error) => logger.warn('a database connection broke', { error }) });
  return {
    pool,
    bus: overrides.bus ?? createKafkaBus(kafkaOptions(settings, logger)),
    kv: overrides.kv ?? createRedisKeyValue({ url: settings.redisUrl!, logger }),
    crm: overrides.crm ?? createCrmHttpClient({ baseUrl: settings.crmBaseUrl ?? crmHost, clientId: settings.crmClientId ?? '', clientSecret: settings.crmClientSecret ?? '' }),
    keyring: overrides.keyring ?? createKeyring(settings.encryptionKeys!),
  };
}

function kafkaOptions(settings: ConfigApiSettings, logger: Logger): Parameters<typeof createKafkaBus>[0] {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername: username, kafkaSaslPassword: password } = settings;
  return {
    brokers: settings.kafkaBrokers!, clientId: 'config-api', ssl: settings.kafkaSsl, logger, replicationFactor: settings.kafkaReplicationFactor ?? undefined,
    ...(mechanism && { sasl: { mechanism, username: username ?? '', password: password ?? '' } as never }),
  };
}

function composeDeps(settings: ConfigApiSettings, overrides: ConfigApiOverrides, ports: ReturnType<typeof composePorts>, logger: Logger): Deps {
  const prisma = createPrisma(ports.pool);
  const store = createConfigStore(prisma);
  const tokens = createSessionTokens(settings.encryptionKeys!, settings.sessionTtlMs);
  const rateLimit = createRateLimit(ports.kv, settings.rateLimitScale, logger);
  const startedAt = performance.now();
  const myself = (): ServiceStanding[] => [{ name: 'config-api', version: serviceVersion, uptime_seconds: Math.round((performance.now() - startedAt) / 1000) }];
  return {
    store, logger, tokens, bus: ports.bus, kv: ports.kv, crm: ports.crm, keyring: ports.keyring,
    reader: createConfigReader(prisma, ports.keyring), runStore: createRunStore(ports.pool), eventIndex: createEventIndex(ports.pool),
    authenticate: createAuthenticate({ store, tokens, rateLimit }), authenticateOperator: createAuthenticateOperator(settings.operatorToken),
    publicUrl: overrides.publicUrl ?? (() => settings.publicUrl ?? `http://localhost:${settings.port}`),
    services: overrides.services ?? myself, consumerGroups: overrides.consumerGroups ?? [],
  };
}
