import type { CallFailure, CallResult, ClaimKey, CrmRecord, FailureCode, RecordWrite, RecordWriteResult } from '@sluice/ports';
import type { WriterParts } from './writer-parts';
import { createFindByIdentity } from './find-by-identity';
import { createIdentityGuard } from './identity-guard';
import type { WrittenRecord } from './landed-writes';
import { createMissingOptions } from './missing-options';
import { normalizeIdentity } from './normalize-identity';
import type { PortalSession } from './portal-session';
import type { UpdateAsk } from './record-asks';
import type { RecordCalls } from './record-calls';
import { resolveRecord } from './resolve-record';
import { createOwnRecord, isTaken, valueTaken } from './taken-value';
import type { UnitContext } from './unit-context';

type Answer = CallResult<RecordWriteResult>;

const fail = (kind: CallFailure['kind'], code: FailureCode, message: string, retryAfterMs?: number): CallFailure => ({
  ok: false, kind, code, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
const landed = (crmId: string, created: boolean): Answer => ({
  ok: true,
  value: { crm_id: crmId, created, updated: !created, skipped: false, reason: null },
});
const skipped = (crmId: string | null, reason: string): Answer => ({
  ok: true,
  value: { crm_id: crmId, created: false, updated: false, skipped: true, reason },
});

/** How long a create waits for another's pending claim before its event gives way, and how often it looks. */
const claimPatienceMs = 3_000;
const claimLookMs = 200;
/** How soon an event whose old claim proved empty starts anew. */
const renewAfterMs = 50;

/** Writes of a record that its entity identifies. Every path ends in at most one written record per identity value. */
export interface UpsertRecord {
  upsert(unit: UnitContext, write: RecordWrite): Promise<Answer>;
  /** Never creates: see CrmUpdates. */
  update(unit: UnitContext, write: RecordWrite): Promise<Answer>;
}

export function createUpsertRecord(parts: WriterParts, session: PortalSession, calls: RecordCalls): UpsertRecord {
  const identityGuard = createIdentityGuard(calls);
  const options = createMissingOptions(parts, session);
  const findByIdentity = createFindByIdentity(parts, session, calls);
  const ownRecord = createOwnRecord(findByIdentity, calls);
  const save = (unit: UnitContext, write: RecordWrite, crmId: string): void => {
    parts.landed.note(unit, { objectType: write.objectType, crmId });
    if (write.externalId === null) return;
    parts.mappings.save(unit, { entity: write.entity, externalId: write.externalId, objectType: write.objectType, crmId }, true);
  };

  /** A newer event of the record may be on its way while a guarded one looks: it counts when that would be sent. */
  const guardOf = (
    unit: UnitContext,
    { entity, externalId }: RecordWrite,
    record: WrittenRecord,
  ): Pick<UpdateAsk, 'superseded'> => {
    if (!unit.guarded) return {};
    return {
      superseded: () =>
        parts.landed.outdated(unit, record) || (externalId !== null && parts.mappings.outdated(unit, entity, externalId)),
    };
  };

  /**
   * Updates a known record. `gone`: it was deleted in the CRM. `lookUp`: whether a unique value that is taken may mean another
   * record.
   */
  const updateKnown = async (unit: UnitContext, write: RecordWrite, crmId: string, lookUp = true): Promise<Answer | 'gone'> => {
    if (unit.guarded && (await parts.landed.superseded(unit, write.objectType, crmId))) return skipped(crmId, 'superseded');
    const refusal = await identityGuard.refusal(unit, write, { property: null, value: crmId });
    if (refusal) return refusal;
    const guard = guardOf(unit, write, { objectType: write.objectType, crmId });
    const answer = await options.writing(unit, write, () =>
      calls.update(write.objectType, { unit, id: crmId, properties: write.properties, ...guard }),
    );
    if (!answer.ok && answer.code === 'superseded') return skipped(crmId, 'superseded');
    if (!answer.ok && answer.code === 'crm_not_found') return 'gone';
    if (!answer.ok && isTaken(answer)) return lookUp ? updateOwn(unit, write, answer, crmId) : valueTaken(answer);
    if (!answer.ok) return answer;
    // A merged record answers under its survivor's id: the mapping follows it.
    save(unit, write, answer.value.id);
    return landed(answer.value.id, false);
  };

  const updateFound = async (unit: UnitContext, write: RecordWrite, crmId: string, lookUp = true): Promise<Answer> => {
    const answer = await updateKnown(unit, write, crmId, lookUp);
    return answer === 'gone' ? fail('transient', 'crm_search_stale', 'the record found by its identity value is gone') : answer;
  };

  /**
   * After a refusal because of a unique value: updates the record that the entity's own identity leads to, if it is another than
   * the one that was tried. A conflict that names no holder stays what it was where nothing is found.
   */
  async function updateOwn(
    unit: UnitContext,
    write: RecordWrite,
    refusal: CallFailure,
    tried: string | null,
    found?: (crmId: string) => void,
  ): Promise<Answer> {
    const own = await ownRecord(unit, write, refusal);
    if (!own.ok) return own;
    if (own.value === null || own.value === tried) return valueTaken(refusal);
    found?.(own.value);
    return updateFound(unit, write, own.value, false);
  }

  /** An upsert does not say beforehand which record it will meet: for a guarded unit that is read. */
  const upsertByUnique = async (unit: UnitContext, write: RecordWrite): Promise<Answer> => {
    const known = unit.guarded ? await findByIdentity(unit, write) : null;
    if (known && !known.ok) return known;
    return known?.value ? updateFound(unit, write, known.value.id) : upsertUnseen(unit, write);
  };

  const upsertUnseen = async (unit: UnitContext, write: RecordWrite): Promise<Answer> => {
    const { objectType, identityProperty } = write;
    const property = identityProperty!;
    const identityValue = normalizeIdentity(property, write.identityValue!);
    const refusal = await identityGuard.refusal(unit, write, { property, value: identityValue });
    if (refusal) return refusal;
    const guard = guardOf(unit, write, { objectType, property, value: identityValue });
    const answer = await options.writing(unit, write, () =>
      calls.upsert(objectType, property, { unit, identityValue, properties: write.properties, ...guard }),
    );
    if (!answer.ok && answer.code === 'superseded') {
      const overtaken = await resolveRecord(parts, session, calls, unit, write);
      return skipped(overtaken.ok ? overtaken.value : null, 'superseded');
    }
    // Where nobody knows who holds it, somebody may be creating it at this moment: the next attempt updates it then.
    if (!answer.ok && isTaken(answer))
      return updateOwn(unit, write, answer.code === 'crm_conflict' ? { ...answer, kind: 'transient' } : answer, null);
    if (!answer.ok) return answer;
    parts.landed.note(unit, { objectType, property, value: identityValue });
    save(unit, write, answer.value.id);
    return landed(answer.value.id, answer.value.isNew ?? false);
  };

  /** @param crmId of a done claim: the record that it names, and that is gone */
  const claimAnew = (unit: UnitContext, claim: ClaimKey, message: string, crmId?: string): Answer => {
    unit.effects.claimsReleased.push(crmId === undefined ? claim : { ...claim, crmId });
    return fail('transient', 'identity_claim_renewed', message, renewAfterMs);
  };

  /** @param sendBy after a long queue the claim may be another's: nothing is sent on it then */
  const create = async (unit: UnitContext, write: RecordWrite, claim: ClaimKey, sendBy: number): Promise<Answer> => {
    const sender: UnitContext = { ...unit, owned: () => unit.owned() && parts.now() <= sendBy };
    const answer = await options.writing(sender, write, () =>
      calls.create(write.objectType, write.identityProperty!, {
        unit: sender,
        identityValue: claim.value,
        properties: write.properties,
      }),
    );
    // Not sent, for the age of this claim or of a batch-mate's: the partition is still ours.
    if (!answer.ok && answer.code === 'lease_lost' && unit.owned())
      return claimAnew(unit, claim, 'the create waited too long after its claim; it is claimed anew');
    if (answer.ok) {
      unit.effects.claimsDone.push({ ...claim, crmId: answer.value.id });
      save(unit, write, answer.value.id);
      return landed(answer.value.id, true);
    }
    // Refused for good: nothing was created, so nobody need wait for us. Unknown: the claim stays and is resolved.
    if (answer.kind === 'permanent') unit.effects.claimsReleased.push(claim);
    // A settlement gives up what is released before it notes what is done.
    return isTaken(answer)
      ? updateOwn(unit, write, answer, null, (crmId) => unit.effects.claimsDone.push({ ...claim, crmId }))
      : answer;
  };

  const useFound = (unit: UnitContext, write: RecordWrite, claim: ClaimKey, record: CrmRecord): Promise<Answer> => {
    unit.effects.claimsDone.push({ ...claim, crmId: record.id });
    return updateFound(unit, write, record.id);
  };

  const searchThenCreate = async (
    unit: UnitContext,
    write: RecordWrite,
    claim: ClaimKey,
    claimAgeMs: number | null,
    sendBy: number,
  ): Promise<Answer> => {
    const found = await calls.search(write.objectType, claim.property, [], { unit, value: claim.value });
    if (!found.ok) return found;
    const record = found.value[0];
    if (record) return useFound(unit, write, claim, record);
    // Our own claim of an earlier attempt: its create may have landed without the search index knowing yet.
    // It may also have been sent, or worked on, some seconds after the claim: a second look comes after those.
    const age = claimAgeMs ?? Number.POSITIVE_INFINITY;
    const { searchLagMs, landsWithinMs } = parts.claimTimes;
    const next = age < searchLagMs ? searchLagMs : searchLagMs + landsWithinMs;
    if (age < next)
      return fail(
        'transient',
        'identity_unresolved',
        "an earlier attempt may have created this record; the CRM's search does not show it yet",
        next - age,
      );
    // The lag counts from the claim: a second create under the old one would not be waited for when its answer is lost too.
    if (claimAgeMs !== null) return claimAnew(unit, claim, 'an earlier attempt did not create this record; it is claimed anew');
    return create(unit, write, claim, sendBy);
  };

  const claimAndCreate = async (unit: UnitContext, write: RecordWrite, claim: ClaimKey): Promise<Answer> => {
    const deadline = parts.now() + claimPatienceMs;
    for (;;) {
      const answer = await parts.claims.claim(unit, claim);
      // One taken over is as old as any create of its former owner needs to be found: the search decides.
      if (answer.state === 'granted' || answer.state === 'taken_over')
        return searchThenCreate(unit, write, claim, null, answer.sendBy);
      if (answer.state === 'own') return searchThenCreate(unit, write, claim, answer.ageMs, answer.sendBy);
      if (answer.state === 'done') {
        const updated = await updateKnown(unit, write, answer.crmId);
        if (updated !== 'gone') return updated;
        return deleted(unit, write, { ...claim, crmId: answer.crmId });
      }
      if (parts.now() >= deadline) return fail('transient', 'identity_claimed', 'another event is creating this record');
      await parts.activity.waiting(parts.sleep(claimLookMs));
    }
  };

  /** The mapped or claimed record was deleted in the CRM: the entity's `on_target_deleted` decides. */
  async function deleted(unit: UnitContext, write: RecordWrite, claimed: (ClaimKey & { crmId: string }) | null): Promise<Answer> {
    if (write.onTargetDeleted !== 'recreate')
      return fail('permanent', 'target_deleted', `the ${write.entity} record was deleted in the CRM (on_target_deleted: skip)`);
    if (write.externalId !== null) parts.mappings.forget(unit, write.entity, write.externalId);
    // A create under the old claim would not be waited for, should its answer be lost.
    if (claimed) {
      const { crmId, ...claim } = claimed;
      return claimAnew(unit, claim, 'the record that was claimed is gone; it is claimed anew', crmId);
    }
    return upsertUnknown(unit, write, true);
  }

  async function upsertUnknown(unit: UnitContext, write: RecordWrite, recreate = false): Promise<Answer> {
    if (write.identityProperty === null || write.identityValue === null)
      return fail('permanent', 'identity_missing', `entity '${write.entity}' has no identity value in this event`);
    const unique = await parts.catalog.isUnique(session, write.objectType, write.identityProperty);
    if (!unique.ok) return unique;
    if (unique.value) return upsertByUnique(unit, write);
    const value = normalizeIdentity(write.identityProperty, write.identityValue);
    const claim: ClaimKey = { portalId: session.portalId, objectType: write.objectType, property: write.identityProperty, value };
    return parts.claims.alone(claim, async () => {
      const mapping =
        recreate || write.externalId === null ? null : await parts.mappings.find(unit, write.entity, write.externalId);
      if (!mapping) return claimAndCreate(unit, write, claim);
      const updated = await updateKnown(unit, write, mapping.crmId);
      return updated === 'gone' ? deleted(unit, write, { ...claim, crmId: mapping.crmId }) : updated;
    });
  }

  const mappingOf = async (unit: UnitContext, { entity, externalId }: RecordWrite) =>
    externalId === null ? null : parts.mappings.find(unit, entity, externalId);

  const upsert: UpsertRecord['upsert'] = async (unit, write) => {
    const mapping = await mappingOf(unit, write);
    if (!mapping) return upsertUnknown(unit, write);
    const updated = await updateKnown(unit, write, mapping.crmId);
    return updated === 'gone' ? deleted(unit, write, null) : updated;
  };

  const update: UpsertRecord['update'] = async (unit, write) => {
    const mapping = await mappingOf(unit, write);
    const updated = mapping ? await updateKnown(unit, write, mapping.crmId) : 'gone';
    if (updated !== 'gone') return updated;
    const found = await findByIdentity(unit, write);
    if (!found.ok) return found;
    // The search may still show the record that is gone.
    if (!found.value || found.value.id === mapping?.crmId)
      return skipped(null, mapping ? 'target_deleted' : 'record_not_found');
    return updateFound(unit, write, found.value.id);
  };

  return { upsert, update };
}
