import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addBackground } from '@sluice/background';
import { createPortalBudget } from '@sluice/crm-writer';
import {
  createIntake, createPartitionCounts, createQuota, createRateLimit as createEventRate, type Intake, type PartitionCounts,
} from '@sluice/event-intake';
import { type Logger, wallClock } from '@sluice/ports';
import {
  createHealth,
  createHttpApp,
  createMetrics,
  createMonotonicClock,
  createTicker,
  type Health,
  type Lifecycle,
  type Metrics,
} from '@sluice/service-kit';
import {
  createAnnouncement,
  createLimitStore,
  type LimitStore,
  type Parts,
  readServiceInstances,
  type ServiceInstance,
} from '@sluice/service-parts';
import type { WorkerCode } from '@sluice/work-threads';
import cookieParser from 'cookie-parser';
import type { Express } from 'express';
import { createBoundedAudit } from './audit/bounded-audit';
import { withAudit } from './audit/with-audit';
import { withOperatorWatch } from './audit/with-operator-watch';
import { createAuthenticate, createAuthenticateOperator } from './auth/create-authenticate';
import { createOperatorThrottle } from './auth/operator-throttle';
import { createPasswords } from './features/accounts/passwords';
import { createRefreshTokens } from './features/accounts/refresh-tokens';
import { createSessionTokens } from './auth/session-token';
import { createSignInThrottle } from './features/accounts/sign-in-throttle';
import { mountDocs } from './docs/mount-docs';
import { mapStoreOutage } from './http/map-store-outage';
import { mountRemovedEndpoints } from './http/mount-removed-endpoints';
import { createPortalReads, type PortalReads } from './features/portal/portal-reads';
import { addOverviewMetrics } from './features/operator/overview-metrics';
import { readOverview } from './features/operator/read-overview';
import { createCreationLimit } from './plan/create-creation-limit';
import { createOpenPortal, type OpenPortal } from './provisioning/open-portal';
import { createRateLimit } from './plan/create-rate-limit';
import { createOutboxRelay } from './relay/create-outbox-relay';
import { watchOutbox } from './relay/watch-outbox';
import { type ConfigApiDeps, configApiRoutes } from './features';
import { createDraftTurns } from './features/drafts/draft-turns';
import type { ConfigApiSettings } from './settings';
import { createSweeps } from './sweeps';
import { serviceVersion } from './version';
import { createConfigChecker } from './work/create-config-checker';
import { type ConfigWork, createConfigWork } from './work/create-config-work';

/** The parts config-api stands on. */
export type ConfigApiParts = Pick<
  Parts, 'bus' | 'kv' | 'blobs' | 'crm' | 'keyring' | 'configStore' | 'configReader' | 'records' | 'conflicts' | 'tasks'
>
  & {
    runStore: Pick<Parts['runStore'], 'heldCounts' | 'oldestHeld'>;
    eventIndex: Pick<Parts['eventIndex'], 'acceptedSince' | 'recentPayloads'>;
  };

export interface ConfigApiOptions {
  logger: Logger;
  metrics?: Metrics;
  /** Gets the checks of this service. Default: one of its own. */
  health?: Health;
  /** Base of the links handed out; default: SLUICE_PUBLIC_URL, else localhost with the port. */
  publicUrl?(): string;
  /**
   * All services of the process, for the overview of a single-process installation; default: the services that announce
   * themselves.
   */
  services?(): ServiceInstance[];
  /** The single-process installation's name over restarts: its own leases of an earlier life are taken over at once. */
  installation?: string;
  /** Clock of the sign-in limits, in milliseconds since the epoch. Default: the machine's. */
  now?(): number;
  /** For tests: answers are checked against their contracts. */
  validateAnswers?: boolean;
  /** For tests: another code of the threads that do the costly work of requests. */
  worker?: WorkerCode;
  /** For tests: bcrypt's work factor. */
  passwordRounds?: number;
}

/** A composed config-api: its app and what runs beside it. The HTTP server is the caller's. */
export interface ConfigApi {
  app: Express;
  /** Adds the background work: the outbox relay and the sweeps. To be called after the parts themselves were added. */
  addTo(lifecycle: Pick<Lifecycle, 'add'>): void;
}

/** Milliseconds between two entries that say how many audit entries of a caller were dropped. */
const auditCountsMs = 60_000;

/** Puts config-api together on given parts. `settings.encryptionKeys` must be set. */
export function composeConfigApi(settings: ConfigApiSettings, parts: ConfigApiParts, options: ConfigApiOptions): ConfigApi {
  const { logger, metrics = createMetrics({ service: 'config-api' }), health = createHealth() } = options;
  const { bus, kv, configStore: store } = parts;
  const configWork = createConfigWork({ ...workOf(settings), logger, metrics, worker: options.worker });
  const deps = composeDeps(settings, parts, { ...options, metrics, configWork });
  addOverviewMetrics(metrics, () => readOverview(deps, logger));
  const bounded = createBoundedAudit({ audit: store.audit, limits: deps.limits, logger, metrics });
  const auditCounts = createTicker({ name: 'audit counts', everyMs: auditCountsMs, logger, run: () => bounded.flush() });
  const relay = createOutboxRelay({ outbox: store.outbox, bus, logger, metrics });
  const workers = [relay.worker, createSweeps(store, settings.auditRetentionMs, logger)];
  watchOutbox({ outbox: store.outbox, relay, staleMs: settings.outboxStaleMs }, health, metrics);
  const app = createHttpApp({
    routes: configApiRoutes(deps)
      .map(mapStoreOutage)
      .map(withAudit({ audit: store.audit, bounded, logger }))
      .map(withOperatorWatch({ logger, metrics })),
    logger,
    metrics,
    health,
    trustProxy: settings.trustProxy,
    before: [cookieParser()],
    validateAnswers: options.validateAnswers,
    mount: (express) => {
      mountDocs(express, { version: serviceVersion, publicUrl: deps.publicUrl });
      mountRemovedEndpoints(express);
    },
  });
  const announcement = options.services ? null : createAnnouncement({ kv, name: 'config-api', version: serviceVersion, logger });
  const addTo: ConfigApi['addTo'] = (lifecycle) => {
    if (announcement) lifecycle.add('announcement', () => announcement.start(), () => announcement.stop());
    lifecycle.add('audit counts', () => auditCounts.start(), async () => {
      await auditCounts.stop();
      await bounded.flush();
    });
    lifecycle.add('work threads', () => configWork.start(), () => configWork.stop());
    const { installation } = options;
    addBackground({ service: 'config-api', workers, tasks: parts.tasks, logger, metrics, installation }, lifecycle);
  };
  return { app, addTo };
}

function composeDeps(
  settings: ConfigApiSettings,
  parts: ConfigApiParts,
  options: ConfigApiOptions & { metrics: Metrics; configWork: ConfigWork },
): ConfigApiDeps {
  const { configStore: store, configReader, kv, blobs, crm, keyring, bus, runStore, records, conflicts, eventIndex } = parts;
  if (settings.encryptionKeys === null) throw new Error('config-api needs encryption keys');
  const tokens = createSessionTokens(settings.encryptionKeys, settings.sessionTtlMs);
  const { logger, metrics, configWork, now = Date.now } = options;
  const limits = createLimitStore({ shared: kv, metrics, now });
  const rateLimit = createRateLimit(limits, settings.rateLimitScale);
  const startedAt = performance.now();
  const myself = (): ServiceInstance => ({
    name: 'config-api',
    version: serviceVersion,
    uptime_seconds: Math.round((performance.now() - startedAt) / 1000),
  });
  const { services } = options;
  const privateTargets = settings.allowPrivateTargets ? 'allowed' : 'refused';
  return {
    ...{ blobs, bus, conflicts, configReader, crm, eventIndex, keyring, records, runStore, store },
    tokens,
    limits,
    logger,
    ...portalsOf(parts, settings),
    ...intakeOf(parts, limits, settings.rateLimitScale, now),
    replayLostAfterMs: settings.replayLostAfterMs,
    creationLimit: createCreationLimit(limits, settings.rateLimitScale),
    privateTargets,
    draftTurns: createDraftTurns(),
    configWork,
    configChecker: createConfigChecker(configWork, {
      privateTargets, fileRoot: settings.fileRoot === null ? null : resolve(settings.fileRoot),
    }),
    refreshTokens: createRefreshTokens(settings.encryptionKeys, store.accounts),
    passwords: createPasswords(createSignInThrottle(limits, now), settings.passwordHashes, options.passwordRounds),
    authenticate: createAuthenticate({ store, tokens, rateLimit }),
    authenticateOperator: createAuthenticateOperator(settings.operatorToken, createOperatorThrottle(limits, now)),
    publicUrl: options.publicUrl ?? (() => settings.publicUrl ?? `http://localhost:${settings.port}`),
    serviceInstances: services ? () => Promise.resolve(services()) : () => readServiceInstances(kv),
    myself,
  };
}

/** How replays come into the log. */
function intakeOf(
  { bus, blobs, kv, eventIndex: index }: ConfigApiParts, limits: LimitStore, scale: number, now: () => number,
): { intake: Intake; partitions: PartitionCounts } {
  const partitions = createPartitionCounts(bus);
  const quota = createQuota({ kv, index, now: wallClock(now) });
  return { intake: createIntake({ bus, blobs, partitions, quota, rateLimit: createEventRate(limits, scale) }), partitions };
}

function workOf(settings: ConfigApiSettings) {
  const { configCheckThreads: threads, configCheckTimeMs: timeLimitMs, workBudgetMs, rateLimitScale: scale } = settings;
  const budgetMsPerMinute = scale === 0 ? null : workBudgetMs * scale;
  return { threads, timeLimitMs, budgetMsPerMinute, monotonicNow: createMonotonicClock() };
}

function portalsOf(
  { crm, configReader: reader, kv }: Pick<ConfigApiParts, 'crm' | 'configReader' | 'kv'>,
  { crmReadCacheMs: ttlMs, preflightTimeMs }: ConfigApiSettings,
): { openPortal: OpenPortal; portalReads: PortalReads; preflightTimeMs: number } {
  const monotonicNow = createMonotonicClock();
  const budget = createPortalBudget({ kv, monotonicNow, liveRunners: () => 1 });
  let writes = 0;
  const wrote = (): void => { writes += 1; };
  const openPortal = createOpenPortal({ crm, reader, budget, monotonicNow, sleep: (ms) => sleep(ms), wrote });
  const portalReads = createPortalReads({ openPortal, ttlMs, monotonicNow, generation: () => writes });
  return { openPortal, portalReads, preflightTimeMs };
}
