import type { IncomingMessage, RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectorDirectory } from '@sluice/connector-feed';
import type { EventIds, Intake } from '@sluice/event-intake';
import type {
  CompatCallStore, CompatKeyStore, ConnectorReader, EventIndex, KeyValue, MonotonicClock, SourceStore, WallClock,
} from '@sluice/ports';
import { createRestClient } from '@sluice/rest-client';
import { createWebhookKeyring, type LimitStore } from '@sluice/service-parts';
import type { StoppedFlows } from './accept/stopped-flows';
import { createAuthenticateCompat } from './compat/authenticate-compat';
import { CompatCalls } from './compat/compat-calls';
import { createCompatHandler } from './compat/compat-handler';
import { isCompatTarget } from './compat/compat-path';
import { createFailedAuthentications } from './compat/failed-authentications';
import { createForwardCompat } from './compat/forward-compat';
import type { FastHandlerDeps } from './http/fast-handler';
import type { CallerTurns } from './limits/caller-turns';
import { createLookUps } from './limits/look-ups';
import type { WorkBudget } from './limits/work-budget';
import type { IngestApiSettings } from './settings';
import { createPublishedSources, type PublishedSources } from './sources/published-sources';
import { createSourceUse, type SourceUse } from './sources/source-use';
import { createAcceptWebhook } from './webhooks/accept-webhook';
import { createKnownEvents } from './webhooks/known-events';
import { createUnverifiedBudget } from './webhooks/unverified-budget';
import { createWebhookHandler } from './webhooks/webhook-handler';
import { isWebhookTarget } from './webhooks/webhook-path';

/** What calls of external systems stand on, behind the ports. */
export interface CallsParts {
  kv: Pick<KeyValue, 'getMany' | 'setIfAbsent'>;
  connectorReader: Pick<ConnectorReader, 'versionSources' | 'sourceStates'>;
  eventIndex: Pick<EventIndex, 'view'>;
  configStore: { compatKeys: Pick<CompatKeyStore, 'use'>; sources: Pick<SourceStore, 'note'> };
  compatCalls: CompatCallStore;
}

export interface CallsDeps extends FastHandlerDeps {
  parts: CallsParts;
  settings: Pick<
    IngestApiSettings,
    | 'webhookKeys' | 'encryptionKeys' | 'sourceCache' | 'rateLimitScale' | 'allowPrivateTargets' | 'deniedTargets' | 'compatRetentionMs'
    | 'compatStuckAfterMs' | 'stuckAfterMs' | 'eventTtlMs'
  >;
  directory: Pick<ConnectorDirectory, 'get' | 'ensure'>;
  intake: Intake;
  ids: EventIds;
  limits: LimitStore;
  budget: WorkBudget;
  turns: CallerTurns;
  /** Where a plan is changed. */
  upgradeUrl: string;
  /** Where flow breakers are explained. */
  docsUrl: string;
  stoppedFlows: StoppedFlows;
  now: WallClock;
  monotonicNow: MonotonicClock;
}

/** The ways in for systems that know nothing of Sluice: webhooks and the legacy-compatible ingress. */
export interface Calls {
  /** Who serves a request; undefined: neither of them. */
  handlerOf(request: IncomingMessage): RequestListener | undefined;
  published: PublishedSources;
  use: SourceUse;
  close(): Promise<void>;
}

/** Sockets to services that Sluice replaces. */
const fallbackConnections = 50;

export function composeCalls(deps: CallsDeps): Calls {
  const { budget, directory, logger, monotonicNow, now, parts, settings } = deps;
  const published = createPublishedSources({
    ...{ directory, logger, monotonicNow }, reader: parts.connectorReader, keyring: createWebhookKeyring(settings),
    maxConnectors: settings.sourceCache, sleep: (ms) => sleep(ms),
  });
  const use = createSourceUse({ store: parts.configStore.sources, logger, now });
  const { allowPrivateTargets, deniedTargets } = settings;
  const client = createRestClient({
    allowPrivateTargets, deniedTargets: deniedTargets ?? [], connections: fallbackConnections,
  });
  const lookUps = { budget, monotonicNow };
  const webhook = createWebhookHandler({
    ...deps, published, use, lookUps: createLookUps(lookUps), unverified: createUnverifiedBudget(
      settings.rateLimitScale, monotonicNow,
    ),
    accept: createAcceptWebhook({ ...deps, knownEvents: createKnownEvents(parts.kv, logger) }),
  });
  const { compatRetentionMs: retentionMs, ...times } = settings;
  const compat = createCompatHandler({
    ...deps, published, lookUps: createLookUps(lookUps), forward: createForwardCompat(client),
    authenticate: createAuthenticateCompat({
      keys: parts.configStore.compatKeys, failures: createFailedAuthentications({ limits: deps.limits, now }),
    }),
    calls: new CompatCalls({ ...deps, ...times, retentionMs, calls: parts.compatCalls, index: parts.eventIndex }),
  });
  return {
    handlerOf: ({ method, url = '' }) => {
      if (isCompatTarget(url)) return compat;
      return method === 'POST' && isWebhookTarget(url) ? webhook : undefined;
    },
    published, use,
    close: () => client.close(),
  };
}
