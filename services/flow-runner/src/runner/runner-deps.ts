import type {
  BlobStore, BreakerSettings, BreakerStore, ConfigReader, CrmClient, CrmFileClient, EventBus, FileDownloads, FunctionPlatform,
  ImportStore, KeyValue, Logger, MonotonicClock, PluginRunStore, RunStore, WallClock, WriteCapStore,
} from '@sluice/ports';
import type { RestClient } from '@sluice/rest-client';
import type { Metrics, ReadingSupervisor, StoreTime } from '@sluice/service-kit';
import type { ProcessCounts } from '@sluice/service-parts';
import { fixedTimes, type RunnerTimes } from '../timing';
import type { RetryPolicy } from '../units/verdicts/retry-policy';

/** The dependencies of the runner; composed in compose.ts, replaced by twins in tests. */
export interface RunnerDeps {
  bus: EventBus;
  store: RunStore;
  /** The breakers of flows. */
  breakers: Pick<BreakerStore, 'changed' | 'claimAttempt'>;
  imports: Pick<ImportStore, 'stopOf'>;
  /** The caps of first syncs. */
  writeCaps: Pick<WriteCapStore, 'reserve' | 'settle'>;
  reader: ConfigReader;
  kv: KeyValue;
  blobs: BlobStore;
  crm: CrmClient;
  crmFiles: CrmFileClient;
  downloads: FileDownloads;
  /** Calls the destinations of steps. */
  rest: RestClient;
  /** Runs plugins. */
  functions: Pick<FunctionPlatform, 'invoke'>;
  pluginRuns: Pick<PluginRunStore, 'values' | 'note'>;
  logger: Logger;
  metrics: Metrics;
  /** Keeps it reading its topics. */
  supervisor: ReadingSupervisor;
  /** Processes that call the CRM, this one included, as far as they are known. */
  crmCallers(): number;
  /** What is counted by connector, for people. */
  counts: Pick<ProcessCounts, 'add'>;
  /** For times that destinations have told, and that they are told. */
  now: WallClock;
  /** For leases, deadlines and waits. */
  monotonicNow: MonotonicClock;
  /** The store's clock: for what is stored, and compared with stored times. The leases tell it the store's time. */
  storeTime: StoreTime;
  sleep(ms: number): Promise<void>;
}

export interface RunnerOptions extends RunnerTimes {
  /** Names this process in ownership rows. A single-process installation keeps it over restarts. */
  owner: string;
  /** Take over own leases of an earlier process at once (single process only). */
  takeOver: boolean;
  topics: readonly string[];
  group: string;
  /** The least time for calls under way, when this process dies. */
  deadCallsMs: number;
  /** How often it looks for runners that died. */
  deadLookMs: number;
  policy: RetryPolicy;
  breakers: BreakerSettings;
  /** Bytes of one file that a step uploads or exports. */
  maxFileBytes: number;
  /** Units under way at once. */
  maxInFlight: number;
  /** Rows of imports that begin a second in any case while live events come in. */
  leastImportRate: number;
  /** Mappings of records kept in memory. */
  rememberedMappings: number;
  /** How long written and sent values are remembered (SLUICE_ECHO_WINDOW). */
  echoWindowMs: number;
  /** Fetched and unfinished messages per partition above which its fetching pauses. */
  maxBuffered: number;
  /** Fetched and unfinished events of one connector above which it may be moved to the held store. */
  maxPerConnector: number;
  /** Bytes of memory that fetched and unfinished events may take, of all topics together. */
  eventMemoryBytes: number;
  /** Longest convoy of one connector-ordered lane. */
  maxConvoy: number;
  /** How often offsets are committed. */
  commitEveryMs: number;
  /** How often due held scopes are looked for. */
  heldLookMs: number;
  /** Held scopes of whole connectors that run at once, and narrower ones. */
  maxDrains: number;
  maxLaneDrains: number;
  /**
   * Held scopes that this process keeps in memory: in all, and of one connector and partition. The others are only in the store.
   */
  maxHeldScopes: number;
  maxHeldScopesPerConnector: number;
  /** A CRM portal that failed every call for so long is tried by one event at a time. */
  portalFailingAfterMs: number;
  /** Longest wait for an answer of a destination, bytes of it that are read, and requests to one destination at once. */
  targetTimeoutMs: number;
  targetAnswerBytes: number;
  targetConnections: number;
  /** Keys of its store that one invocation of a plugin may read or write, and bytes of a value. */
  pluginStoreKeys: number;
  pluginStoreValueBytes: number;
  /** Lines of its log that a plugin keeps of one hour. */
  pluginLinesPerHour: number;
  /** Number of flow-runner deaths while an event was the only one in hand, after which it is quarantined. */
  crashDeaths: number;
  /** How long a partition is watched after its owner died. */
  crashWatchMs: number;
  /** Characters of the outputs of its steps that an event keeps while it waits. */
  keptCharacters: number;
  /** Characters that the outputs of all steps of one record may have together. */
  traceCharacters: number;
  /** Whether rows of imports and replays create their records before anything of their kind was read. */
  expectsNewRecords: boolean;
  /** First wait after an unexpected failure. */
  firstFailureWaitMs: number;
}

/** What no setting changes. The defaults of everything else stand at its setting. */
export const fixedOptions = {
  ...fixedTimes,
  maxConvoy: 2_000, commitEveryMs: 250, heldLookMs: 100, deadLookMs: 500,
  maxDrains: 64, maxLaneDrains: 256, maxHeldScopes: 20_000, maxHeldScopesPerConnector: 1_000,
  firstFailureWaitMs: 500, expectsNewRecords: false,
} satisfies Partial<RunnerOptions>;
