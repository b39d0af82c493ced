import type { CallFailure, CallResult, ClaimKey, OutcomeReason, RecordWrite, RecordWriteResult } from '@sluice/ports';
import type { ClaimTimes } from '../state/claim-times';
import type { TimedClaim } from '../state/identity-claims';

/** How the updated record was found: decides what its absence and a taken unique value mean. */
export type Lead = 'mapping' | 'claim' | 'found' | 'own';

/** The outcome of a write to the CRM. */
export type WriteOutcome =
  | { kind: 'landed'; crmId: string; isNew: boolean }
  | { kind: 'skipped'; crmId: string | null; reason: OutcomeReason }
  /** The record was deleted in the CRM. */
  | { kind: 'gone' }
  /** Another record has one of its unique values, or another write came first. */
  | { kind: 'taken'; refusal: CallFailure }
  /** A create that was not sent, because its claim had become too old. */
  | { kind: 'too_late' }
  | { kind: 'failed'; failure: CallFailure };

/** The write that was tried last. */
export type Tried = { outcome: WriteOutcome } & (
  | { how: 'update'; crmId: string; lead: Lead }
  | { how: 'upsert'; property: string; value: string }
  | { how: 'create-new'; property: string; value: string }
  | { how: 'create'; claim: ClaimKey }
);

/** The state of one write of an identified record. Plain data: every answer makes a new one. undefined: not asked yet. */
export interface UpsertState {
  /** An update never creates. */
  readonly mode: 'upsert' | 'update';
  readonly write: RecordWrite;
  readonly guarded: boolean;
  /** Whether the record is created before it is looked for. `refused`: that was tried, and the CRM did not create it. */
  readonly createsFirst: 'no' | 'yes' | 'refused';
  readonly portalId: string;
  readonly times: Pick<ClaimTimes, 'searchLagMs' | 'landsWithinMs'>;
  /** No other unit of this process works on the identity value. */
  readonly alone: boolean;
  /** The mapped record was deleted, and the entity has `on_target_deleted: recreate`. */
  readonly recreating: boolean;
  /** The record of the mapping. */
  readonly mapped?: string | null | undefined;
  /** Whether the CRM keeps the identity property unique. */
  readonly unique?: boolean | undefined;
  /** The record with the identity value. */
  readonly found?: string | null | undefined;
  /** Whether an earlier attempt of the event, which got no answer, created that record. Only asked for where there was one. */
  readonly made?: boolean | undefined;
  readonly claim?: TimedClaim | undefined;
  /** For a guarded write: whether a newer event deleted the record; checked before it is created. */
  readonly deletedLater?: boolean | undefined;
  readonly tried?: Tried | undefined;
  /** After a refusal because of a unique value: the record with the entity's own identity. */
  readonly own?: string | null | undefined;
}

/** An effect of a decision, which the driver notes before it continues. */
export type UpsertNote =
  /** A write to the record succeeded: the mapping points to it. */
  | { kind: 'saved'; crmId: string }
  | { kind: 'landed-by-value'; property: string; value: string }
  | { kind: 'mapping-forgotten' }
  | { kind: 'claim-done'; claim: ClaimKey; crmId: string }
  /** `crmId` of a done claim: the deleted record that it names. */
  | { kind: 'claim-released'; claim: ClaimKey; crmId?: string };

/** The next step. */
export type UpsertDecision = { notes?: readonly UpsertNote[] } & (
  | { kind: 'find-mapping' }
  | { kind: 'is-unique'; property: string }
  | { kind: 'find-by-identity' }
  | { kind: 'was-made'; crmId: string }
  | { kind: 'search'; claim: ClaimKey }
  | { kind: 'find-own'; refusal: CallFailure }
  | { kind: 'work-alone'; claim: ClaimKey }
  | { kind: 'claim'; claim: ClaimKey }
  | { kind: 'recreate' }
  | { kind: 'was-deleted' }
  | { kind: 'update'; crmId: string; lead: Lead }
  | { kind: 'upsert'; property: string; value: string }
  | { kind: 'create-new'; property: string; value: string }
  | { kind: 'create'; claim: ClaimKey; sendBy: number }
  | { kind: 'end'; answer: CallResult<RecordWriteResult> }
);

type UpsertGiven = Pick<UpsertState, 'mode' | 'write' | 'guarded' | 'createsFirst' | 'portalId' | 'times'>;

/** The state before anything is known. */
export function startUpsert({ mode, write, guarded, createsFirst, portalId, times }: UpsertGiven): UpsertState {
  const mapped = mappedAtFirst(write, false);
  // Every field from the start: copies with one more answer then keep the shape that the engine has compiled for.
  return {
    mode, write, guarded, createsFirst, portalId, times, alone: false, recreating: false, mapped,
    unique: undefined, found: undefined, made: undefined, claim: undefined, deletedLater: undefined, tried: undefined,
    own: undefined,
  };
}

/** Another unit may have created and mapped the record while the write waited: the mapping is looked up again. */
export function workingAlone(state: UpsertState): UpsertState {
  return { ...state, alone: true, mapped: mappedAtFirst(state.write, state.recreating) };
}

/** The mapped record was deleted: its mapping is dropped. */
export function recreating(state: UpsertState): UpsertState {
  return { ...state, tried: undefined, recreating: true, mapped: null };
}

/**
 * The answer to a create that came first. Where the CRM did not create the record, or a newer write was known, the record is read
 * as if nothing had been tried. An answer that leaves it open ends the attempt: the next one reads.
 */
export function triedAsNew(state: UpsertState, tried: Extract<Tried, { how: 'create-new' }>): UpsertState {
  const { outcome } = tried;
  const isOpen = outcome.kind === 'failed' && outcome.failure.kind !== 'permanent';
  return outcome.kind === 'landed' || isOpen ? { ...state, tried } : { ...state, createsFirst: 'refused' };
}

/** undefined: it must be looked up. */
const mappedAtFirst = ({ externalId }: RecordWrite, anew: boolean): null | undefined =>
  anew || externalId === null ? null : undefined;
