import type { CallFailure, ClaimKey, FailureCode, OutcomeReason } from '@sluice/ports';
import { normalizeIdentity } from '../shared/normalize-identity';
import { valueTakenFailure } from './value-holder';
import type { Lead, Tried, UpsertDecision, UpsertNote, UpsertState, WriteOutcome } from './upsert-state';

type Landed = Extract<WriteOutcome, { kind: 'landed' }>;

/** How soon an event is tried again whose old claim led to no record. */
const renewAfterMs = 50;

/**
 * Decides the next step of a write to a record that its entity identifies. Total and pure: the driver (upsert-record.ts) makes
 * the call that the decision names and adds the answer to the state. Every path ends in at most one written record per identity
 * value (ADR 0007).
 */
export function decideUpsert(state: UpsertState): UpsertDecision {
  if (state.tried) return afterTry(state, state.tried);
  if (state.mapped === undefined) return { kind: 'find-mapping' };
  if (state.mapped !== null) return update(state.mapped, 'mapping');
  return state.mode === 'update' ? updateFound(state) : upsertUnknown(state);
}

/** An update without a mapping to an existing record. */
function updateFound({ found, mapped }: UpsertState): UpsertDecision {
  if (found === undefined) return { kind: 'find-by-identity' };
  // The search may still show the deleted record.
  if (found === null || found === mapped) return skipped(null, mapped ? 'target_deleted' : 'record_not_found');
  return update(found, 'found');
}

function upsertUnknown(state: UpsertState): UpsertDecision {
  const { entity, identityProperty: property, identityValue } = state.write;
  if (property === null || identityValue === null)
    return fail('permanent', 'identity_missing', `entity '${entity}' has no identity value in this event`);
  if (state.unique === undefined) return { kind: 'is-unique', property };
  if (!state.unique) return upsertClaimed(state);
  const value = normalizeIdentity(property, identityValue);
  if ((state.guarded || isInDoubt(state)) && state.found === undefined) {
    // The CRM itself refuses to create a second record: nothing is overwritten (ADR 0340).
    if (mayCreateFirst(state)) return creating(state, { kind: 'create-new', property, value });
    // It is not known beforehand which record an upsert will write: where that matters it is read first.
    return { kind: 'find-by-identity' };
  }
  if (state.found) return updateKnown(state, state.found);
  return creating(state, { kind: 'upsert', property, value });
}

/** Whether an earlier attempt of the event may have created the record. */
const isInDoubt = ({ mode, write }: UpsertState): boolean => mode === 'upsert' && write.unansweredSince !== undefined;

const mayCreateFirst = (state: UpsertState): boolean =>
  state.createsFirst === 'yes' && !state.recreating && !isInDoubt(state);

/** Before the write overwrites what an earlier attempt may have left, it is read. */
function updateKnown(state: UpsertState, crmId: string, ...notes: UpsertNote[]): UpsertDecision {
  return isInDoubt(state) && state.made === undefined ? { kind: 'was-made', crmId } : update(crmId, 'found', ...notes);
}

/** A newer event may have deleted the record while this one waited for a read, a claim or a failed update. */
function creating({ guarded, write: { externalId }, deletedLater }: UpsertState, create: Creation): UpsertDecision {
  if (!guarded || externalId === null || deletedLater === false) return create;
  if (deletedLater === undefined) return { kind: 'was-deleted' };
  return { ...skipped(null, 'superseded'), notes: create.kind === 'create' ? [releaseOf(create)] : [] };
}

type Creation = Extract<UpsertDecision, { kind: 'upsert' | 'create-new' | 'create' }>;
const releaseOf = ({ claim }: { claim: ClaimKey }): UpsertNote => ({ kind: 'claim-released', claim });

/** The CRM does not keep the identity value unique: a create must claim the value first. */
function upsertClaimed(state: UpsertState): UpsertDecision {
  const claim = claimOf(state);
  if (!state.alone) return { kind: 'work-alone', claim };
  if (!state.claim) return { kind: 'claim', claim };
  switch (state.claim.state) {
    case 'done':
      return update(state.claim.crmId, 'claim');
    case 'pending':
      return fail('transient', 'identity_claimed', 'another event is creating this record');
    case 'own':
      return searchThenCreate(state, claim, state.claim.ageMs, state.claim.sendBy);
    // A claim that was taken over is so old that the search shows any create of its former owner.
    case 'granted':
    case 'taken_over':
      return searchThenCreate(state, claim, null, state.claim.sendBy);
  }
}

/** @param ageMs of our own claim of an earlier attempt */
function searchThenCreate(
  state: UpsertState,
  claim: ClaimKey,
  ageMs: number | null,
  sendBy: number,
): UpsertDecision {
  const { found, times: { searchLagMs, landsWithinMs } } = state;
  if (found === undefined) return { kind: 'search', claim };
  if (found !== null) return updateKnown(state, found, { kind: 'claim-done', claim, crmId: found });
  if (ageMs === null) return creating(state, { kind: 'create', claim, sendBy });
  // The create of an earlier attempt may have succeeded while the search index does not show it yet. It may also have been sent
  // or executed some seconds after the claim: a second search comes after that time.
  const next = ageMs < searchLagMs ? searchLagMs : searchLagMs + landsWithinMs;
  if (ageMs < next) {
    const message = "an earlier attempt may have created this record; the CRM's search does not show it yet";
    return fail('transient', 'identity_unresolved', message, { retryAfterMs: next - ageMs });
  }
  // The lag counts from the claim: if a second create under the old claim lost its answer too, the search would not wait long
  // enough for it.
  return claimAnew(claim, 'an earlier attempt did not create this record; it is claimed anew');
}

function afterTry(state: UpsertState, tried: Tried): UpsertDecision {
  const { outcome } = tried;
  switch (outcome.kind) {
    case 'landed':
      return afterLanding(state, tried, outcome);
    case 'skipped':
      return { ...skipped(outcome.crmId, outcome.reason), notes: leftOut(tried, outcome) };
    case 'gone':
      return afterGone(state, tried);
    case 'taken':
      return afterTaken(state, tried, outcome.refusal);
    case 'too_late':
      return claimAnew(claimOf(state), 'the create waited too long after its claim; it is claimed anew');
    case 'failed':
      return { ...end(outcome.failure), notes: released(tried, outcome.failure) };
  }
}

/** A merged record answers with the id of the surviving record: the mapping is updated to it. */
function afterLanding(state: UpsertState, tried: Tried, landed: Landed): UpsertDecision {
  const { crmId } = landed;
  const created = isCreated(tried, landed) || (state.made === true && tried.how === 'update' && tried.lead === 'found');
  const value = { crm_id: crmId, created, updated: !created, skipped: false, reason: null };
  return { kind: 'end', answer: { ok: true, value }, notes: landingNotes(tried, crmId) };
}

const isCreated = ({ how }: Tried, { isNew }: Landed): boolean =>
  how === 'create' || how === 'create-new' || (how === 'upsert' && isNew);

function landingNotes(tried: Tried, crmId: string): UpsertNote[] {
  const saved: UpsertNote = { kind: 'saved', crmId };
  switch (tried.how) {
    case 'update':
      return [saved];
    case 'create':
      return [saved, { kind: 'claim-done', claim: tried.claim, crmId }];
    case 'upsert':
    case 'create-new':
      return [saved, { kind: 'landed-by-value', property: tried.property, value: tried.value }];
  }
}

/** The record was deleted in the CRM: for a mapped or claimed one the entity's `on_target_deleted` decides. */
function afterGone(state: UpsertState, tried: Tried): UpsertDecision {
  const lead = tried.how === 'update' ? tried.lead : 'found';
  if (lead === 'found' || lead === 'own')
    return fail('transient', 'crm_search_stale', 'the record found by its identity value is gone');
  if (state.mode === 'update') return updateFound(state);
  const { entity, onTargetDeleted } = state.write;
  if (onTargetDeleted !== 'recreate')
    return fail('permanent', 'target_deleted', `the ${entity} record was deleted in the CRM (on_target_deleted: skip)`);
  const forgotten: UpsertNote = { kind: 'mapping-forgotten' };
  if (!state.alone || tried.how !== 'update') return { kind: 'recreate', notes: [forgotten] };
  // If a create under the old claim lost its answer, the search would not wait long enough for it.
  return claimAnew(claimOf(state), 'the record that was claimed is gone; it is claimed anew', tried.crmId, forgotten);
}

/**
 * After a refusal because of a unique value: updates the record that the entity's own identity leads to, if it is another than
 * the one that was tried (ADR 0034). When nothing is found, a conflict that names no holder is returned unchanged.
 */
function afterTaken(state: UpsertState, tried: Tried, given: CallFailure): UpsertDecision {
  // When the holder is unknown, another client may be creating it now: the next attempt will update it.
  const refusal: CallFailure = tried.how === 'upsert' && given.code === 'crm_conflict' ? { ...given, kind: 'transient' } : given;
  const triedId = tried.how === 'update' ? tried.crmId : null;
  if (tried.how === 'update' && tried.lead === 'own') return end(valueTakenFailure(refusal));
  if (state.own === undefined) return { kind: 'find-own', refusal, notes: released(tried, given) };
  if (state.own === null || state.own === triedId) return end(valueTakenFailure(refusal));
  // A settlement applies released claims before done ones.
  const done: UpsertNote[] = tried.how === 'create' ? [{ kind: 'claim-done', claim: tried.claim, crmId: state.own }] : [];
  return update(state.own, 'own', ...done);
}

/**
 * A write without properties left counts as written: an older write must not be applied after it. A create that was not sent
 * releases its claim.
 */
function leftOut(tried: Tried, { crmId, reason }: Extract<WriteOutcome, { kind: 'skipped' }>): UpsertNote[] {
  if (tried.how === 'create') return [releaseOf(tried)];
  return crmId === null || reason === 'superseded' ? [] : [{ kind: 'saved', crmId }];
}

/**
 * After a permanent refusal nothing was created, so the claim is released. After an unknown outcome the claim stays and is
 * resolved later.
 */
const released = (tried: Tried, { kind }: CallFailure): UpsertNote[] =>
  tried.how === 'create' && kind === 'permanent' ? [releaseOf(tried)] : [];

function claimAnew(claim: ClaimKey, message: string, crmId?: string, ...notes: UpsertNote[]): UpsertDecision {
  const release: UpsertNote = { kind: 'claim-released', claim, ...(crmId === undefined ? {} : { crmId }) };
  return fail('transient', 'identity_claim_renewed', message, { retryAfterMs: renewAfterMs }, ...notes, release);
}

function claimOf({ portalId, write }: UpsertState): ClaimKey {
  const property = write.identityProperty!;
  return { portalId, objectType: write.objectType, property, value: normalizeIdentity(property, write.identityValue!) };
}

const update = (crmId: string, lead: Lead, ...notes: UpsertNote[]): UpsertDecision => ({ kind: 'update', crmId, lead, notes });

const end = (failure: CallFailure): UpsertDecision => ({ kind: 'end', answer: failure });

const skipped = (crmId: string | null, reason: OutcomeReason): UpsertDecision => ({
  kind: 'end',
  answer: { ok: true, value: { crm_id: crmId, created: false, updated: false, skipped: true, reason } },
});

const fail = (
  kind: CallFailure['kind'],
  code: FailureCode,
  message: string,
  more: { retryAfterMs?: number } = {},
  ...notes: UpsertNote[]
): UpsertDecision => ({ kind: 'end', answer: { ok: false, kind, code, message, ...more }, notes });
