import type { CallFailure, OutcomeReason, RecordTarget } from '@sluice/contracts';
import type { AssociateRequest } from './record-association';
import type { RecordWrite, RecordWriteResult } from './record-write';
import type { CallResult } from './call-result';

export interface RemoveRequest extends RecordTarget {
  /** The most records of one call that it may be part of (`chunk_size` of a bulk step). Default: the CRM's own limit. */
  chunkSize?: number;
}

export interface RemoveResult {
  crm_id: string | null;
  deleted: boolean;
  /** It was deleted in the CRM before: only the mapping is removed. */
  already_absent: boolean;
  skipped: boolean;
  /** Why nothing was deleted: `record_not_found` or `superseded`. */
  reason: OutcomeReason | null;
}

/** Without a type every association of a pair is removed, with one only those of that type. */
export type DissociateRequest = Omit<AssociateRequest, 'replace'>;

export interface DissociateResult {
  removed: number;
  failed: number;
  skipped: number;
  results: { to_external_id: string | null; status: 'removed' | 'skipped' | 'failed'; error: string | null }[];
}

/** A failure of one pair does not take back the others: `landed` is what was done all the same. */
export type DissociateAnswer = { ok: true; value: DissociateResult } | (CallFailure & { landed?: DissociateResult });

export interface PromoteRequest {
  /** The entity and the external id that the record gets; its identity value is what the CRM record gets. */
  target: RecordTarget;
  crmId: string;
}

export interface PromoteResult {
  promoted: boolean;
  crm_id: string;
  /** The identity that the record had before. */
  previous_external_id: string | null;
  /** Why nothing was written: `already_mapped`, or `identity_conflict` with `conflict` saying which. */
  reason: OutcomeReason | null;
  conflict: string | null;
}

/** How records and their identities begin and end. */
export interface CrmLifecycle {
  /**
   * Creates a record. A mapped external id is skipped without a look at the CRM (`already_mapped`), and so is a record that is
   * there already (`already_exists`), which is not touched and not mapped.
   */
  create(write: RecordWrite): Promise<CallResult<RecordWriteResult>>;
  /** Deletes the record that the mapping, else the identity value leads to, and removes the mapping. */
  remove(target: RemoveRequest): Promise<CallResult<RemoveResult>>;
  /** Removes associations. An end that nobody names or that is not in the CRM is skipped. */
  dissociate(request: DissociateRequest): Promise<DissociateAnswer>;
  /** Gives a record its identity: in its identity property, then as a mapping. A record with another identity is not changed. */
  promote(request: PromoteRequest): Promise<CallResult<PromoteResult>>;
}
