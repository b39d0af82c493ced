import {
  callFailure, type CallResult, type ClaimKey, type CrmRecord, type OutcomeReason, type RecordWrite, type RecordWriteResult,
} from '@sluice/ports';
import { keepWritten } from '../policies/echo-policy';
import { createFindByIdentity } from '../finding/find-by-identity';
import type { TimedClaim } from '../state/identity-claims';
import { createMissingOptions } from './missing-options';
import { normalizeIdentity } from '../shared/normalize-identity';
import { isOwn } from '../state/mapping-of-event';
import type { PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import { createFindValueHolder, isValueTaken, valueTakenFailure } from './value-holder';
import type { UnitContext } from '../shared/unit-context';
import { wasMadeBy } from './was-made-by';
import type { WriterParts } from '../state/writer-parts';

type Answer = CallResult<RecordWriteResult>;

const created = (crmId: string): Answer => ({
  ok: true,
  value: { crm_id: crmId, created: true, updated: false, skipped: false, reason: null },
});
const skipped = (crmId: string | null, reason: OutcomeReason): Answer => ({
  ok: true,
  value: { crm_id: crmId, created: false, updated: false, skipped: true, reason },
});

/** How long a create waits for another event's pending claim before its event is held, and how often it checks. */
const claimPatienceMs = 3_000;
const claimLookMs = 200;
/** How soon an event is tried again whose old claim led to no record. */
const renewAfterMs = 50;

/**
 * Creates a record, once. A claim comes before every create (ADR 0007), also where the CRM keeps the identity unique: it
 * distinguishes a record that an earlier attempt of the same event made, which is mapped, from one that existed before, which is
 * not changed.
 */
export function createCreateRecord(
  parts: WriterParts,
  session: PortalSession,
  calls: RecordCalls,
): (unit: UnitContext, write: RecordWrite) => Promise<Answer> {
  const options = createMissingOptions(parts, session);
  const findByIdentity = createFindByIdentity(parts, session, calls);
  const ownRecord = createFindValueHolder(findByIdentity, calls);

  const made = (unit: UnitContext, { entity, externalId, objectType }: RecordWrite, claim: ClaimKey, crmId: string): Answer => {
    unit.effects.claimsDone.push({ crmId, ...claim });
    if (externalId === null) parts.landed.noteUnmapped(unit, { objectType, crmId });
    else {
      parts.landed.note(unit, { objectType, crmId });
      parts.mappings.save(unit, { entity, externalId, objectType, crmId }, true);
    }
    return created(crmId);
  };
  const left = (unit: UnitContext, claim: ClaimKey, crmId: string): Answer => {
    unit.effects.claimsDone.push({ crmId, ...claim });
    return skipped(crmId, 'already_exists');
  };
  /** A newer event deleted the record while this one waited. */
  const deletedMeanwhile = (unit: UnitContext, claim: ClaimKey): Answer => {
    unit.effects.claimsReleased.push(claim);
    return skipped(null, 'superseded');
  };
  const claimAnew = (unit: UnitContext, claim: ClaimKey, message: string, crmId?: string): Answer => {
    unit.effects.claimsReleased.push(crmId === undefined ? claim : { crmId, ...claim });
    return callFailure('transient', 'identity_claim_renewed', message, renewAfterMs);
  };

  /**
   * @param claimedAt when an earlier attempt claimed, whose create may have taken effect meanwhile; null: there was none
   */
  const send = async (
    unit: UnitContext,
    write: RecordWrite,
    claim: ClaimKey,
    sendBy: number,
    claimedAt: number | null,
  ): Promise<Answer> => {
    if (await parts.removals.superseded(unit, write)) return deletedMeanwhile(unit, claim);
    // After a long wait in the queue another event may have taken over the claim: then nothing is sent.
    const sender: UnitContext = { ...unit, owned: () => unit.owned() && parts.monotonicNow() <= sendBy };
    const { objectType, properties } = write;
    const superseded = (): boolean => parts.removals.outdated(unit, write);
    const heard = ({ id: crmId }: CrmRecord): void => parts.landed.note(unit, { objectType, crmId });
    const ask = { unit: sender, identityValue: claim.value, properties, superseded, heard };
    const answer = await options.writing(sender, write, () => calls.create(objectType, claim.property, ask));
    if (answer.ok) {
      await keepWritten(parts, unit, { objectType, crmId: answer.value.id, properties });
      return made(unit, write, claim, answer.value.id);
    }
    if (answer.code === 'superseded') return deletedMeanwhile(unit, claim);
    if (answer.code === 'lease_lost' && unit.owned())
      return claimAnew(unit, claim, 'the create waited too long after its claim; it is claimed anew');
    // A permanent refusal created nothing. After an unknown outcome the claim stays and is resolved later.
    if (answer.kind === 'permanent') unit.effects.claimsReleased.push(claim);
    if (!isValueTaken(answer)) return answer;
    const own = await ownRecord(unit, write, answer);
    if (!own.ok) return own;
    if (own.value === null) return valueTakenFailure(answer);
    return claimedAt === null ? left(unit, claim, own.value) : ended(unit, write, claim, own.value, claimedAt);
  };

  /**
   * A record was found under the claim of an earlier attempt: either this event made it, then it is mapped, or others did, then
   * it is not changed.
   */
  const ended = async (
    unit: UnitContext, write: RecordWrite, claim: ClaimKey, crmId: string, claimedAt: number,
  ): Promise<Answer> => {
    const read = await calls.read(write.objectType, null, Object.keys(write.properties), { unit, value: crmId });
    if (!read.ok) return read;
    const { value: record } = read;
    if (!record) return callFailure('transient', 'crm_search_stale', 'the record found by its identity value is gone');
    return wasMadeBy(write, record, claimedAt) ? made(unit, write, claim, record.id) : left(unit, claim, record.id);
  };

  const resolveOwn = async (
    unit: UnitContext,
    write: RecordWrite,
    claim: ClaimKey,
    { ageMs, claimedAt, sendBy }: Extract<TimedClaim, { state: 'own' }>,
  ): Promise<Answer> => {
    const found = await findByIdentity(unit, write);
    if (!found.ok) return found;
    if (found.value) return ended(unit, write, claim, found.value.id, claimedAt);
    const unique = await parts.catalog.isUnique(session, write.objectType, claim.property);
    if (!unique.ok) return unique;
    // The CRM itself refuses a second record.
    if (unique.value) return send(unit, write, claim, sendBy, claimedAt);
    const { searchLagMs, landsWithinMs } = parts.claimTimes;
    const next = ageMs < searchLagMs ? searchLagMs : searchLagMs + landsWithinMs;
    if (ageMs < next)
      return callFailure(
        'transient',
        'identity_unresolved',
        "an earlier attempt may have created this record; the CRM's search does not show it yet",
        next - ageMs,
      );
    return claimAnew(unit, claim, 'an earlier attempt did not create this record; it is claimed anew');
  };

  /** A new claim of our own, or one that was taken over from a former owner. */
  const claimed = async (unit: UnitContext, write: RecordWrite, claim: ClaimKey, answer: TimedClaim): Promise<Answer> => {
    const unique = await parts.catalog.isUnique(session, write.objectType, claim.property);
    if (!unique.ok) return unique;
    if (!unique.value) {
      const found = await findByIdentity(unit, write);
      if (!found.ok) return found;
      if (found.value) return left(unit, claim, found.value.id);
    }
    return send(unit, write, claim, answer.sendBy, null);
  };

  const claimAndCreate = async (unit: UnitContext, write: RecordWrite, claim: ClaimKey): Promise<Answer> => {
    const deadline = parts.monotonicNow() + claimPatienceMs;
    for (;;) {
      const answer = await parts.claims.claim(unit, claim);
      if (answer.state === 'own') return resolveOwn(unit, write, claim, answer);
      if (answer.state === 'granted' || answer.state === 'taken_over') return claimed(unit, write, claim, answer);
      if (answer.state === 'done') {
        const read = await calls.read(write.objectType, null, [], { unit, value: answer.crmId });
        if (!read.ok) return read;
        if (read.value) return skipped(read.value.id, 'already_exists');
        return claimAnew(unit, claim, 'the record that was claimed is gone; it is claimed anew', answer.crmId);
      }
      if (parts.monotonicNow() >= deadline) return callFailure('transient', 'identity_claimed',
        'another event is creating this record');
      await parts.activity.waiting(parts.sleep(claimLookMs));
    }
  };

  const mapped = async (unit: UnitContext, write: RecordWrite, claim: ClaimKey | null): Promise<Answer | null> => {
    const { entity, externalId } = write;
    const mapping = externalId === null ? null : await parts.mappings.find(unit, entity, externalId);
    if (!mapping) return null;
    if (!isOwn(unit, mapping)) return skipped(mapping.crmId, 'already_mapped');
    // The outcome of the attempt that made the record was not stored, nor its effects.
    return claim && !unit.retried ? made(unit, write, claim, mapping.crmId) : created(mapping.crmId);
  };

  const claimOf = ({ objectType, identityProperty: property, identityValue }: RecordWrite): ClaimKey | null =>
    property === null || identityValue === null
      ? null
      : { portalId: session.portalId, objectType, property, value: normalizeIdentity(property, identityValue) };

  return async (unit, write) => {
    const claim = claimOf(write);
    const known = await mapped(unit, write, claim);
    if (known) return known;
    if (!claim)
      return callFailure('permanent', 'identity_missing', `entity '${write.entity}' has no identity value in this event`);
    return parts.claims.alone(claim, async () => (await mapped(unit, write, claim)) ?? claimAndCreate(unit, write, claim));
  };
}
