import type { CallFailure, OutcomeReason, PropertyValue, RecordTarget } from '@sluice/contracts';
import type { CrmLifecycle } from './crm-lifecycle';
import type { CrmLookups } from './crm-lookups';
import type { CrmUpdates } from './crm-updates';

export type { CallFailure, ErrorKind, FailureCode, OutcomeReason, PropertyValue, RecordTarget } from '@sluice/contracts';

/**
 * What a flow step may ask of the CRM. The CRM writer implements it (coalescing many lanes into batches, claims, mappings);
 * it has no twin (ADR 0022).
 * Expected failures are values; throwing is a bug.
 */

export interface CallSuccess<T> {
  ok: true;
  value: T;
}

export type CallResult<T> = CallSuccess<T> | CallFailure;

/** How a write treats properties that were last edited outside of Sluice (docs/reference/conflicts.md). */
export interface Arbitration {
  strategy: 'target_wins' | 'most_recent';
  /** Each property is compared with its own last edit; else all of them with the newest of these edits. */
  perProperty: boolean;
  /** When the source changed its record, ISO 8601; null: the event does not say. */
  modifiedAt: string | null;
}

export interface RecordWrite extends RecordTarget {
  properties: Record<string, PropertyValue>;
  /** An existing record on which more of these would change is refused (code `identity_guard`, quarantined). */
  guard?: { properties: string[]; max_changed: number } | null;
  /** Absent: the source wins, and nothing is checked. */
  conflicts?: Arbitration | null;
  /** The most records of one call that it may be part of (`chunk_size` of a bulk step). Default: the CRM's own limit. */
  chunkSize?: number;
  /**
   * When the first attempt of the event began whose write of this record got no answer, milliseconds since the epoch, by the
   * store's clock: a record that was made since then was created by this event. Absent: none is known of.
   */
  unansweredSince?: number;
}

/** The answer of every write to the CRM. */
export interface RecordWriteResult {
  crm_id: string | null;
  created: boolean;
  updated: boolean;
  skipped: boolean;
  /** Why nothing was written, for example `superseded`. A write that changes nothing is `updated`. */
  reason: OutcomeReason | null;
  /** Values that were not written although the record was; absent when all were. */
  warnings?: WriteWarning[];
}

/**
 * A property that was left out because the CRM does not know it or lets nobody write it, or a life cycle stage that the CRM did
 * not take because it moves forward only.
 */
export interface WriteWarning {
  property: string;
  code: 'unknown_property' | 'read_only_property' | 'not_taken';
}

export interface FoundRecord {
  crm_id: string;
  properties: Record<string, string | null>;
}

export interface FindRequest {
  objectType: string;
  /** Every pair must equal. Empty when `externalId` is used. */
  match: Record<string, PropertyValue>;
  /** Look through the identity map of this entity instead. */
  through?: { entity: string; externalId: string };
  properties: string[];
}

export interface AssociateRequest {
  from: RecordTarget;
  to: RecordTarget[];
  /** Object type of all `to` records: what `replace` clears, also when `to` is empty. */
  toObjectType: string;
  associationTypeId?: number;
  associationCategory?: 'CRM_DEFINED' | 'USER_DEFINED' | 'INTEGRATOR_DEFINED';
  /** Remove associations to the `to` type that the list does not contain: with an empty list all of them. */
  replace?: boolean;
  /** The most associations of one call that they may be part of. */
  chunkSize?: number;
}

export interface AssociateResult {
  associated: number;
  failed: number;
  skipped: number;
  /** Associations that `replace` took away. */
  removed: number;
  results: { to_external_id: string | null; status: 'associated' | 'skipped' | 'failed'; error: string | null }[];
}

/** A failure of one association does not take back the others: `landed` is what was done all the same. */
export type AssociateAnswer = { ok: true; value: AssociateResult } | (CallFailure & { landed?: AssociateResult });

/**
 * The CRM as one flow run sees it: bound to its connector's portal, its accept position and its run. What every implementation
 * does is told by `crmRecordsConformance` and `crmLookupsConformance` (testing).
 */
export interface CrmRecords extends CrmLifecycle, CrmLookups, CrmUpdates {
  /** Searches by identity and creates a record only if none matches (docs/reference/steps-and-actions.md, upsert). */
  upsert(write: RecordWrite): Promise<CallResult<RecordWriteResult>>;
  /** The first match and how many there are. */
  find(request: FindRequest): Promise<CallResult<{ record: FoundRecord | null; count: number }>>;
  /** A `to` without an external id is skipped; when the record of a `to` does not exist yet, the event steps aside. */
  associate(request: AssociateRequest): Promise<AssociateAnswer>;
}
