import type { CallFailure, RecordTarget } from '@sluice/contracts';

/** Associates one record with others. */
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
