import type { CallResult, ClaimKey, RecordTarget, RemoveResult } from '@sluice/ports';
import type { ArchiveCalls } from '../calls/archive-calls';
import { keepDeleted } from '../policies/echo-policy';
import { createFindByIdentity } from '../finding/find-by-identity';
import { normalizeIdentity } from '../shared/normalize-identity';
import type { PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';

type Answer = CallResult<RemoveResult>;

const nothing = { deleted: false, already_absent: false, skipped: true };

/** A claim that this event itself took is still pending: it would be done only with its settlement. */
function release({ effects }: UnitContext, claim: ClaimKey, crmId: string): void {
  const isSame = (done: ClaimKey): boolean =>
    done.objectType === claim.objectType && done.property === claim.property && done.value === claim.value;
  const isOwn = effects.claimsDone.some(isSame);
  effects.claimsDone = effects.claimsDone.filter((done) => !isSame(done));
  effects.claimsReleased.push(isOwn ? claim : { crmId, ...claim });
}

/**
 * Deletes the CRM record of an external id: found by its mapping, else by its identity value. Its mapping and the claim of its
 * identity are deleted too, so that a later event may create the record again. A repeat finds no record. The deletion is
 * remembered in both cases.
 */
export function createRemoveRecord(
  parts: WriterParts,
  session: PortalSession,
  records: RecordCalls,
  archives: ArchiveCalls,
): (unit: UnitContext, target: RecordTarget) => Promise<Answer> {
  const findByIdentity = createFindByIdentity(parts, session, records);

  const remember = (unit: UnitContext, { entity, externalId, objectType }: RecordTarget, crmId: string | null): void => {
    if (externalId === null) return;
    parts.mappings.remove(unit, { entity, externalId, objectType, crmId });
    parts.removals.note(unit, entity, externalId);
  };

  /** The claim under which the record was created stays `done`: it would lead the next event to the deleted record. */
  const forget = (
    unit: UnitContext,
    target: RecordTarget,
    crmId: string,
    values: readonly (string | null | undefined)[],
  ): void => {
    const { objectType, identityProperty } = target;
    remember(unit, target, crmId);
    if (identityProperty === null) return;
    const known = values.flatMap((value) => (value ? [normalizeIdentity(identityProperty, value)] : []));
    for (const value of new Set(known))
      release(unit, { portalId: session.portalId, objectType, property: identityProperty, value }, crmId);
  };

  const remove = async (unit: UnitContext, target: RecordTarget, again: boolean): Promise<Answer> => {
    const { entity, externalId, objectType, identityProperty, identityValue } = target;
    const mapping = externalId === null ? null : await parts.mappings.find(unit, entity, externalId);
    const found = mapping ? null : await findByIdentity(unit, target);
    if (found && !found.ok) return found;
    const crmId = mapping?.crmId ?? found?.value?.id;
    if (crmId === undefined) {
      // An older event may still be held with its flow or alone: it must not create the record when it runs.
      remember(unit, target, null);
      return { ok: true, value: { ...nothing, crm_id: null, reason: 'record_not_found' } };
    }
    if (unit.guarded && (await parts.landed.superseded(unit, objectType, crmId)))
      return { ok: true, value: { ...nothing, crm_id: crmId, reason: 'superseded' } };
    const asked = identityProperty === null ? [] : [identityProperty];
    const read = await records.read(objectType, null, asked, { unit, value: crmId });
    if (!read.ok) return read;
    const isGone = read.value === null && mapping !== null && externalId !== null;
    // Another process may have deleted it, and another record may have been created since.
    if (isGone && !again && (await parts.mappings.wasOutdated(unit, entity, externalId))) return remove(unit, target, true);
    if (read.value) {
      const archived = await archives.archive(objectType, { unit, id: crmId });
      if (!archived.ok) return archived;
      parts.landed.note(unit, { objectType, crmId });
      await keepDeleted(parts, unit, { objectType, crmId });
    }
    const held = identityProperty === null ? null : read.value?.properties[identityProperty];
    forget(unit, target, crmId, [identityValue, held]);
    return {
      ok: true,
      value: { crm_id: crmId, deleted: true, already_absent: read.value === null, skipped: false, reason: null },
    };
  };
  return (unit, target) => remove(unit, target, false);
}
