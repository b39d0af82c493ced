import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addBackground, type Worker } from '@sluice/background';
import {
  createEventIds, createIntake, createPartitionCounts, createQuota, createRateLimit as createEventRate, eventIdKeys, type Intake,
  type PartitionCounts, type Quota,
} from '@sluice/event-intake';
import { replayWorker } from '@sluice/event-replays';
import { type Keyring, type Model, wallClock } from '@sluice/ports';
import { createHttpApp, createMonotonicClock, createTicker } from '@sluice/service-kit';
import { createLimitStore, createWebhookKeyring, type LimitStore, type ProductContext } from '@sluice/service-parts';
import type { WorkerCode } from '@sluice/work-threads';
import cookieParser from 'cookie-parser';
import type { Express } from 'express';
import { createBoundedAudit } from './audit/bounded-audit';
import { withAudit } from './audit/with-audit';
import { withOperatorWatch } from './audit/with-operator-watch';
import type { StrangerBudget } from './auth/stranger-budget';
import { withCallerCache } from './auth/with-caller-cache';
import { withStrangerBudget } from './auth/with-stranger-budget';
import { accountParts } from './compose-accounts';
import { assistantParts, assistantSweeps } from './compose-assistant';
import { createPackageLinks } from './features/exports/package-links';
import { mountDocs } from './docs/mount-docs';
import { mapStoreOutage } from './http/map-store-outage';
import { withSameSite } from './http/with-same-site';
import type { Mailer } from './mails/create-mailer';
import { createMailWorker } from './mails/create-mail-worker';
import { watchMails } from './mails/watch-mails';
import { mountRemovedEndpoints } from './http/mount-removed-endpoints';
import { createPortalReads, type PortalReads } from './features/portal/portal-reads';
import { breakerRates } from './features/connectors/breaker-rates';
import { withKnownBreakers } from './features/connectors/with-known-breakers';
import { writeCapWorker } from './features/connectors/write-cap/write-cap-worker';
import { importSweep } from './features/imports/import-sweep';
import { importWorker } from './features/imports/import-worker';
import { countWorkers } from './features/monitoring/count-workers';
import { createUnreadSince } from './features/monitoring/log-backlog';
import { verificationWorkers } from './features/verifications/verification-workers';
import { addOverviewMetrics } from './features/operator/overview-metrics';
import { readOverview } from './features/operator/read-overview';
import { createCreationLimit } from './plan/create-creation-limit';
import { createOpenPortal, type OpenPortal } from './provisioning/open-portal';
import { createOutboxRelay } from './relay/create-outbox-relay';
import { watchOutbox } from './relay/watch-outbox';
import { withPublishedChanges } from './relay/with-published-changes';
import { type ConfigApiDeps, configApiRoutes } from './features';
import { createDraftTurns } from './features/drafts/draft-turns';
import type { ConfigApiSettings } from './settings';
import { createSweeps } from './sweeps';
import { serviceVersion } from './version';
import { createConfigChecker } from './work/create-config-checker';
import { type ConfigWork, createConfigWork } from './work/create-config-work';
import { verifyWork } from './work/verify-work';
import type { ConfigApiParts } from './config-api-parts';

/** What tests replace. */
export interface ConfigApiReplacements {
  /** Clock of the sign-in limits, in milliseconds since the epoch. Default: the machine's. */
  now?(): number;
  /** Answers are checked against their contracts. */
  validateAnswers?: boolean;
  /** Another code of the threads that do the costly work of requests. */
  worker?: WorkerCode;
  /** Another code of the threads in which flows run again for verifications. */
  verifyWorker?: WorkerCode;
  /** bcrypt's work factor. */
  passwordRounds?: number;
  /** The model of the assistant; null: there is none. */
  model?: Model | null;
}

type Context = ProductContext<ConfigApiSettings>;

/** Milliseconds between two entries that say how many audit entries of a caller were dropped. */
const auditCountsMs = 60_000;

/** Puts config-api together on given parts: its routes, the threads for costly work, and the background work. */
export function composeConfigApi(
  given: ConfigApiParts, context: Context, replaced: ConfigApiReplacements = {},
): { handle: Express } {
  const parts = { ...given, configStore: withCallerCache(given.configStore, { monotonicNow: createMonotonicClock() }) };
  const { settings, logger, metrics, health, lifecycle, shared } = context;
  const { bus, configStore: store } = parts;
  const configWork = createConfigWork({ ...workOf(settings), logger, metrics, worker: replaced.worker });
  const deps = composeDeps(parts, context, { ...replaced, configWork });
  addOverviewMetrics(metrics, () => readOverview(deps, logger));
  const bounded = createBoundedAudit({ audit: store.audit, limits: deps.limits, logger, metrics });
  const relay = createOutboxRelay({ outbox: store.outbox, bus, logger, metrics });
  const sweeps = createSweeps(store, settings, logger);
  const replays = replayWorker({ ...deps, window: settings.replayWindow, monotonicNow: createMonotonicClock() });
  const { breakerCheckMs: checkMs, breakerHealthyResetMs: healthyResetMs, breakerWaitsMs: waitsMs } = settings;
  const rates = breakerRates(parts.breakers, { checkMs, healthyResetMs, waitsMs }, logger);
  const caps = writeCapWorker({
    ...parts, unreadSince: createUnreadSince(bus), settlingMs: settings.capSettlingMs, changed: relay.wake, logger,
  });
  const ofMails = mailWorkers(parts, deps.mailer, context);
  const conversations = assistantSweeps(parts.assistant, context);
  const workers = [
    rates, relay.worker, sweeps, replays, conversations, verifyWork(parts, context), ...importWorkers(deps, settings),
    ...verificationWorkers(parts, context, replaced.verifyWorker), ...countWorkers(parts.monitoring, logger), ...ofMails,
  ];
  watchOutbox({ outbox: store.outbox, relay, staleMs: settings.outboxStaleMs }, health, metrics);
  addAuditCounts(bounded, context);
  lifecycle.add('work threads', () => configWork.start(), () => configWork.stop());
  const { installation } = shared ?? {};
  const every = [...workers, caps];
  addBackground({ service: 'config-api', workers: every, tasks: parts.tasks, logger, metrics, installation }, lifecycle);
  const handle = createHttpApp({
    routes: configApiRoutes(deps)
      .map(withPublishedChanges({ outbox: store.outbox, relay, monotonicNow: createMonotonicClock() }))
      .map(mapStoreOutage)
      .map(withAudit({ audit: store.audit, bounded, logger }))
      .map(withOperatorWatch({ logger, metrics }))
      .map(withStrangerBudget(deps.strangers))
      .map(withSameSite(deps.publicUrl)),
    logger,
    metrics,
    trustProxy: settings.trustProxy,
    before: [cookieParser()],
    validateAnswers: replaced.validateAnswers,
    mount: (express) => {
      mountDocs(express, { version: serviceVersion, publicUrl: deps.publicUrl });
      mountRemovedEndpoints(express);
    },
  });
  return { handle };
}

/** Says now and then, and at the end, how many audit entries of a caller were dropped. */
function addAuditCounts(bounded: ReturnType<typeof createBoundedAudit>, { lifecycle, logger }: Context): void {
  const counts = createTicker({ name: 'audit counts', everyMs: auditCountsMs, logger, run: () => bounded.flush() });
  lifecycle.add('audit counts', () => counts.start(), async () => {
    await counts.stop();
    await bounded.flush();
  });
}

function composeDeps(
  parts: ConfigApiParts,
  context: Context,
  { configWork, model, now = Date.now, passwordRounds }: ConfigApiReplacements & { configWork: ConfigWork },
): ConfigApiDeps & { strangers: StrangerBudget } {
  const { settings, logger, metrics, instances } = context;
  const { configStore: store, configReader, kv, blobs, crm, keyring, bus, runStore, records, conflicts, eventIndex } = parts;
  const { monitoring, replayJobs, imports, tasks, verifications } = parts;
  const breakers = withKnownBreakers(parts.breakers);
  if (settings.encryptionKeys === null) throw new Error('config-api needs encryption keys');
  const limits = createLimitStore({ shared: kv, metrics, now });
  const privateTargets = settings.allowPrivateTargets ? 'allowed' : 'refused';
  return {
    ...{ blobs, breakers, bus, conflicts, configReader, crm, eventIndex, imports, keyring, monitoring, records, replayJobs,
      runStore, store, tasks, verifications },
    sourceFiles: parts.sourceFiles,
    ...exportsOf(parts, settings.encryptionKeys, settings.exportLinkTtlMs, now),
    ...pluginsOf(parts, settings),
    ...{ limits, logger, webhookKeyring: webhookKeyringOf(settings) },
    ...accountParts(parts, context, { encryptionKeys: settings.encryptionKeys, limits, now, passwordRounds }),
    ...assistantParts(parts.assistant, context, model),
    ...portalsOf(parts, context),
    ...intakeOf(parts, limits, settings.rateLimitScale, now),
    eventIds: createEventIds(eventIdKeys(settings.eventIdKeys ?? settings.encryptionKeys)),
    backlog: { congestedMs: settings.backlogCongestedMs, stalledMs: settings.backlogStalledMs },
    slaTargetMs: settings.slaTargetMs,
    breakerHealthyResetMs: settings.breakerHealthyResetMs,
    widthLeadMs: settings.widthLeadMs,
    replayLostAfterMs: settings.replayLostAfterMs,
    writeCapLimit: settings.writeCap,
    countWaiting: countWaitingOf(parts),
    creationLimit: createCreationLimit(limits, settings.rateLimitScale),
    privateTargets,
    draftTurns: createDraftTurns(),
    configWork,
    configChecker: createConfigChecker(configWork, {
      privateTargets, fileRoot: settings.fileRoot === null ? null : resolve(settings.fileRoot), ownBucket: settings.s3Bucket,
    }),
    serviceInstances: () => instances.all(),
    myself: () => instances.self(),
  };
}

/** None without a mail server: mails wait until one is set, and can be read in the outbox meanwhile. */
function mailWorkers(
  { configStore: { mails }, mailSender: sender }: Pick<ConfigApiParts, 'configStore' | 'mailSender'>,
  mailer: Mailer,
  { logger, metrics, settings: { mailRetryWaitsMs: waitsMs, mailGiveUpMs: giveUpMs, smtpConnections: atOnce } }: Context,
): Worker[] {
  if (sender === null) return [];
  watchMails(mails, metrics);
  return [createMailWorker({ mails, sender, mailer, logger, metrics, waitsMs, giveUpMs, atOnce })];
}

/** How many inbound records of a connector wait, in the log or held. */
function countWaitingOf({ bus, monitoring }: ConfigApiParts): (connectorId: string) => Promise<number> {
  const unreadSince = createUnreadSince(bus);
  return async (connectorId) => {
    const { held, inLog } = await monitoring.waiting(connectorId, 'inbound', await unreadSince());
    return held + inLog;
  };
}

/** Data exports, and the links to their packages. */
const exportsOf = ({ exports }: ConfigApiParts, keys: string, linkTtlMs: number, now: () => number) => (
  { exports, packageLinks: createPackageLinks(keys, linkTtlMs, now) }
);

function webhookKeyringOf(settings: ConfigApiSettings): Keyring {
  const keyring = createWebhookKeyring(settings);
  if (keyring === null) throw new Error('keys of webhook secrets are needed');
  return keyring;
}

function importWorkers(
  deps: ConfigApiDeps, { importWindow, heldRowTtlMs, historyRetentionMs, workerTickMs: everyMs }: ConfigApiSettings,
): Worker[] {
  const monotonicNow = createMonotonicClock();
  return [
    importWorker({ ...deps, window: importWindow, heldRowTtlMs, monotonicNow }),
    importSweep(deps, { everyMs, historyRetentionMs }),
  ];
}

/** How replays and rows of imports come into the log. */
function intakeOf(
  { bus, blobs, kv, eventIndex: index }: ConfigApiParts, limits: LimitStore, scale: number, now: () => number,
): { intake: Intake; partitions: PartitionCounts; quota: Quota } {
  const partitions = createPartitionCounts(bus);
  const quota = createQuota({ kv, index, now: wallClock(now) });
  const rateLimit = createEventRate(limits, scale);
  return { intake: createIntake({ bus, blobs, partitions, quota, rateLimit }), partitions, quota };
}

const pluginsOf = (
  { functions, pluginRuns }: ConfigApiParts, { pluginLinesPerHour }: ConfigApiSettings,
): Pick<ConfigApiDeps, 'functions' | 'pluginRuns' | 'pluginLinesPerHour'> => ({ functions, pluginRuns, pluginLinesPerHour });

function workOf(settings: ConfigApiSettings) {
  const { configCheckThreads: threads, configCheckTimeMs: timeLimitMs, workBudgetMs, rateLimitScale: scale } = settings;
  const budgetMsPerMinute = scale === 0 ? null : workBudgetMs * scale;
  return { threads, timeLimitMs, budgetMsPerMinute, monotonicNow: createMonotonicClock() };
}

function portalsOf(
  { crm, configReader: reader }: Pick<ConfigApiParts, 'crm' | 'configReader'>,
  { settings: { crmReadCacheMs: ttlMs, preflightTimeMs }, portalBudget: budget }: Context,
): { openPortal: OpenPortal; portalReads: PortalReads; preflightTimeMs: number } {
  const monotonicNow = createMonotonicClock();
  let writes = 0;
  const wrote = (): void => { writes += 1; };
  const openPortal = createOpenPortal({ crm, reader, budget, monotonicNow, sleep: (ms) => sleep(ms), wrote });
  const portalReads = createPortalReads({ openPortal, ttlMs, monotonicNow, generation: () => writes });
  return { openPortal, portalReads, preflightTimeMs };
}
