import type { BlobStore, ConfigReader, CrmClient, EventBus, KeyValue, Logger, RunStore } from '@sluice/ports';
import type { Metrics } from '@sluice/service-kit';
import type { RetryPolicy } from '../units/retry-policy';

/** What the runner is made of; composed in compose.ts, replaced by twins in tests. */
export interface RunnerDeps {
  bus: EventBus;
  store: RunStore;
  reader: ConfigReader;
  kv: KeyValue;
  blobs: BlobStore;
  crm: CrmClient;
  logger: Logger;
  metrics: Metrics;
  now(): number;
  sleep(ms: number): Promise<void>;
}

export interface RunnerOptions {
  /** Names this process in ownership rows. A single-process installation keeps it over restarts. */
  owner: string;
  /** Take over own leases of a previous life at once (single process only). */
  takeOver: boolean;
  topics: readonly string[];
  group: string;
  policy: RetryPolicy;
  searchLagMs: number;
  /** Units under way at once. */
  maxInFlight: number;
  /** Fetched and unfinished messages per partition above which its fetching pauses. */
  maxBuffered: number;
  /** Fetched and unfinished events of one connector above which it may be moved to the held store (DESIGN 2.9). */
  maxPerConnector: number;
  /** Longest run of one connector-ordered lane under way together. */
  maxConvoy: number;
  leaseMs: number;
  renewEveryMs: number;
  leaseGraceMs: number;
  crmTimeoutMs: number;
  /** How often offsets are committed. */
  commitEveryMs: number;
  /** How often due held scopes are looked for. */
  heldLookMs: number;
  /** Held scopes that run at once. */
  maxDrains: number;
  /** First wait after a failure nobody foresaw. */
  firstFailureWaitMs: number;
}

/** Numbers that only tests and the bench change. */
export const runnerDefaults = {
  maxInFlight: 4_000, maxBuffered: 4_000, maxPerConnector: 1_000, maxConvoy: 2_000,
  leaseMs: 10_000, renewEveryMs: 2_000, leaseGraceMs: 500, crmTimeoutMs: 7_000,
  commitEveryMs: 250, heldLookMs: 100, maxDrains: 64, firstFailureWaitMs: 500,
} as const;
