import type { ErrorKind, EventEnvelope, FailureCode, RecordReason } from '@sluice/contracts';
import type { ConflictRecord } from './conflict-store';
import type { CrashWatchStore } from './crash-watch';
import type { BreakerSettings, FlowBreaker, FlowOutcome } from '../flow-breaker';
import type { ImportRowEnd } from '../tasks/import-store';
import type { KeptSteps } from './kept-steps';
import type { PluginWrite } from '../plugins/plugin-run-store';
import type { ScopeId, ScopeText } from './scope-id';
import type {
  AcceptPosition,
  ClaimAnswer,
  ClaimKey,
  ClaimOptions,
  CrmRecordKey,
  Mapping,
  MappingKey,
  MappingRemoval,
  RecordWriteNote,
} from './identity-map';
import type { OwnedLease, PartitionLease, PartitionOwnership } from './partition-ownership';
import type { PartitionRef } from './partition-ref';
import type { UnitKey } from './unit-key';

const recordStatuses = ['completed', 'skipped', 'failed', 'parked', 'partial_success', 'dlq', 'quarantined'] as const;
export type RecordStatus = (typeof recordStatuses)[number];

/** What one step did, kept with its record row. */
export interface StepTrace {
  id: string;
  action: string;
  status: 'ok' | 'skipped' | 'failed' | 'retried';
  output: unknown;
  error: string | null;
  started_at: string;
  duration_ms: number;
  attempts: number;
}

/** The outcome of one record (docs/reference/events.md, Record outcomes). */
export interface RecordRow {
  /** Deterministic per (unit, row): a rewrite conflicts instead of duplicating. UUID. */
  id: string;
  organizationId: string;
  connectorId: string;
  unit: UnitKey;
  /** Of an element of a bulk step: `<step id>/<place in the list>`. Left out: the row is about the unit itself. */
  item?: string;
  flowName: string | null;
  sourceName: string;
  eventType: string;
  entityName: string | null;
  externalId: string | null;
  action: string | null;
  stepId: string | null;
  status: RecordStatus;
  error: string | null;
  errorKind: ErrorKind | null;
  errorCode: FailureCode | null;
  reason: RecordReason | null;
  crmId: string | null;
  attempts: number;
  replayable: boolean;
  configVersion: number | null;
  /** The accept time: also the time partition of the row. ISO. */
  createdAt: string;
  completedAt: string;
  steps: StepTrace[];
}

export const heldReasons = [
  'retry', 'fatal', 'breaker_open', 'paused', 'organization_stopped', 'write_cap', 'counterpart', 'backlog',
  'portal_dry', 'portal_unavailable', 'blob_unavailable', 'late_write', 'ordering',
] as const;
export type HeldReason = (typeof heldReasons)[number];

/** An event that waits (ADR 0005). Order within a scope is log order: (partition, offset). */
export interface HeldEvent extends PartitionRef {
  offset: bigint;
  unit: UnitKey;
  organizationId: string;
  connectorId: string;
  /** The scope that waits with it. */
  scope: ScopeId;
  lane: string;
  flowName: string | null;
  reason: HeldReason;
  /** Milliseconds since the epoch at which its head may run; null: waits for the rows before it, or for a state change. */
  dueAt: number | null;
  /** Attempts used up (fatal ones do not count). */
  attempts: number;
  /** All attempts, fatal ones too: chooses the wait. */
  tries: number;
  /** Whether an attempt wrote, under the binding of the last one; `keptSteps` says what. */
  wrote: boolean;
  lastError: string | null;
  /** The code of that failure; null: there was none, or an older version held the event. */
  lastErrorCode: FailureCode | null;
  /** Until when a write without an answer may still take effect; null: none may. Milliseconds since the epoch. */
  mayLandUntil: number | null;
  /** What its attempts left of their steps, for the next one; null: nothing. */
  keptSteps: KeptSteps | null;
  /** The rows of a unit that has ended and only waits for `mayLandUntil`: it is not run again. */
  ending: RecordRow[] | null;
  envelope: EventEnvelope;
}

/** A held scope, with fields of its first row. */
export interface HeldScopeState extends PartitionRef {
  scope: ScopeId;
  connectorId: string;
  /** The lane whose events wait in it; null for a connector's scope, and for an event that waits alone. */
  lane: string | null;
  reason: HeldReason;
  /** When it may run, in milliseconds since the epoch; null: at once, or as soon as its connector's state lets it. */
  dueAt: number | null;
  headOffset: bigint;
  count: number;
}

/** A connector whose events wait in a partition. */
export interface HeldConnectorState {
  connectorId: string;
  /** The scope of the whole connector; null: there is none. */
  wide: HeldScopeState | null;
  /** The due time of the first of its other scopes; null: there are none. */
  narrow: Pick<HeldScopeState, 'dueAt'> | null;
}

/** The outcome or hold of one unit, written in one transaction with everything that belongs to it. */
export interface Settlement {
  lease: PartitionLease;
  offset: bigint;
  unit: UnitKey;
  connectorId: string;
  /** `rows` ends it; `hold` writes or updates its held row; `none` only removes its held row (a repeat). */
  verdict: { kind: 'rows'; rows: RecordRow[] } | { kind: 'hold'; held: HeldEvent } | { kind: 'none' };
  /**
   * The binding epoch under which the unit ran: when another one is in force, nothing of it is stored, and the unit runs again.
   * Absent: it did not depend on the portal.
   */
  bindingEpoch?: number;
  /** Removes the unit's held row (it ran from the held store). Its scope is counted in the answer. */
  heldScope?: ScopeId;
  mappings: Mapping[];
  /** Removed before `mappings` are saved. */
  mappingsRemoved: MappingRemoval[];
  /** Writes without a mapping that keeps their position. */
  recordWrites: RecordWriteNote[];
  claimsDone: (ClaimKey & { crmId: string })[];
  /** A pending claim of the unit; with `crmId`: a done claim of a deleted record, released only while it names that record. */
  claimsReleased: (ClaimKey & { crmId?: string })[];
  /** Properties that were arbitrated; one that is already stored is not changed. */
  conflicts: ConflictRecord[];
  /** What the attempt means for the breaker of its flow. Absent: nothing. */
  flowOutcome?: FlowOutcome;
  /** The row of a bulk import that ends with the unit. */
  importRow?: ImportRowEnd;
  /** Writes of plugins into their stores, in order: of several to one key the last one counts. Default: none. */
  pluginWrites?: readonly PluginWrite[];
}

export interface SettleAnswer {
  /** Indexes of settlements refused because their epoch is old or the store was restored: nothing of them was written. */
  refused: number[];
  /** Indexes of settlements of an older binding of their connector: nothing of them was written. */
  rebound: number[];
  /** The revision of each partition of which something was settled. */
  revisions: (PartitionLease & { revision: bigint })[];
  /** Rows left per held scope named by the settlements, read in the same transaction. */
  heldLeft: Map<ScopeText, number>;
  /** The breakers of the flows of which outcomes were noted, as they are now; a flow without a row is left out. */
  breakers: FlowBreaker[];
}

/**
 * The flow-runner's data in Postgres: partition owners, outcomes, held events, mappings and claims. Writes carry the owner's
 * epoch and are refused when it is old. Any method may throw `StoreUnavailable`: the runner stops taking work and resumes by
 * itself.
 */
export interface RunStore {
  ownership: PartitionOwnership;
  crashWatch: CrashWatchStore;
  /** Which of the units (or their aliases' event ids) already have a terminal or held row. Texts of `unitKeyText`. */
  finished(units: readonly (UnitKey & { acceptedAt: string; aliases?: readonly string[] })[]): Promise<Set<string>>;
  /**
   * @param owned up to which offset the partitions are settled before these settlements; stored in the same transaction
   * @param breakers the rules for `flowOutcome`; absent: outcomes of flows are not noted
   */
  settle(
    settlements: readonly Settlement[], owned?: readonly OwnedLease[], breakers?: BreakerSettings,
  ): Promise<SettleAnswer>;
  mappings(keys: readonly MappingKey[]): Promise<Mapping[]>;
  /** The mappings of all connectors to one of the records. */
  mappingsTo(records: readonly CrmRecordKey[]): Promise<Mapping[]>;
  /** Whether an event later than the position deleted the record of the mapping (`mappingsRemoved`). */
  haveNewerRemovals(asked: readonly (MappingKey & { position: AcceptPosition })[]): Promise<boolean[]>;
  /** Whether the record has a write later than the position, by any connector and external id, or without one. */
  haveNewerWrites(asked: readonly (CrmRecordKey & { position: AcceptPosition })[]): Promise<boolean[]>;
  /**
   * Claims identities before creates. A unit that ended without a record (parked, expired) leaves its claim pending: from
   * `abandonedAfterMs` on exactly one claiming unit takes it over, and its age then starts again.
   */
  claim(
    claims: readonly ClaimKey[],
    claimant: { connectorId: string; unit: string }[],
    options: ClaimOptions,
  ): Promise<ClaimAnswer[]>;
  /** Connectors with held scopes in a partition, in the order of their ids, after the given one. */
  heldConnectors(ref: PartitionRef, limit: number, after?: string): Promise<HeldConnectorState[]>;
  /** The first scopes of each connector by due time, those without one first; at most `limit` per connector. */
  heldScopesDue(ref: PartitionRef, asked: readonly { connectorId: string; limit: number }[]): Promise<HeldScopeState[]>;
  /** The scopes in which events of these lanes wait, connectors' scopes apart. */
  heldScopesOfLanes(ref: PartitionRef, lanes: readonly string[]): Promise<HeldScopeState[]>;
  /**
   * The first rows of a scope in log order, after (partition, offset) when given. Of them as many as have at most `textBytes` of
   * envelopes (as JSON text) together, but two at least.
   */
  heldRows(
    topic: string,
    partition: number,
    scope: ScopeId,
    limit: number,
    after?: bigint,
    textBytes?: number,
  ): Promise<HeldEvent[]>;
  /** Held rows by reason, for overview and stats. */
  heldCounts(connectorId?: string): Promise<Record<string, number>>;
  /**
   * When the oldest held event of each topic was accepted, in milliseconds since the epoch; topics without held events are
   * absent.
   */
  oldestHeld(): Promise<Record<string, number>>;
  /**
   * The offset of the oldest held event of each ordering of a connector, and its lane (ADR 0032). Events that stepped aside do
   * not count.
   */
  heldOrderings(ref: PartitionRef, connectorId: string): Promise<{ epoch: number; offset: bigint; lane: string }[]>;
}
