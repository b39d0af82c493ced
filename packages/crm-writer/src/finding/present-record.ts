import type { CallFailure, CallResult, RecordTarget } from '@sluice/ports';
import { createFindByIdentity } from './find-by-identity';
import type { PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';

/** One end of an association, and the CRM record it was resolved to. */
export interface ResolvedTarget {
  target: RecordTarget;
  id: string;
}

const nameOf = ({ entity, externalId, identityValue }: RecordTarget): string => `${entity} '${externalId ?? identityValue}'`;

/** Its record does not exist yet: only the event that needs it waits. */
export const notYet = (target: RecordTarget): CallFailure => ({
  ok: false, kind: 'transient', code: 'related_record_not_synced', stepsAside: true,
  message: `the ${nameOf(target)} is not in the CRM yet`,
});

const deletedForGood = (target: RecordTarget): CallFailure => ({
  ok: false, kind: 'permanent', code: 'target_deleted',
  message: `the ${nameOf(target)} was deleted in the CRM (on_target_deleted: skip)`,
});

/**
 * The present record of an end. A deleted record is looked up by its identity value. If none is found, the entity's policy
 * decides: `recreate` waits for the upsert that creates it again, `skip` does not wait.
 */
export type PresentRecord = (unit: UnitContext, end: ResolvedTarget) => Promise<CallResult<string>>;

export function createPresentRecord(
  parts: Pick<WriterParts, 'catalog' | 'mappings'>, session: PortalSession, records: Pick<RecordCalls, 'read' | 'search'>,
): PresentRecord {
  const findByIdentity = createFindByIdentity(parts, session, records);
  return async (unit, { target, id }) => {
    const read = await records.read(target.objectType, null, [], { unit, value: id });
    if (!read.ok) return read;
    if (read.value) return { ok: true, value: id };
    const found = await findByIdentity(unit, target);
    if (!found.ok) return found;
    // A search may still show the deleted record.
    const crmId = found.value?.id;
    if (crmId === undefined || crmId === id) {
      return target.onTargetDeleted === 'recreate' ? notYet(target) : deletedForGood(target);
    }
    const { entity, externalId, objectType } = target;
    if (externalId !== null) parts.mappings.save(unit, { entity, externalId, objectType, crmId }, false);
    return { ok: true, value: crmId };
  };
}
