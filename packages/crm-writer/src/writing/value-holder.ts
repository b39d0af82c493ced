import type { CallFailure, CallResult, RecordWrite } from '@sluice/ports';
import type { FindByIdentity } from '../finding/find-by-identity';
import type { RecordCalls } from '../calls/record-calls';
import type { UnitContext } from '../shared/unit-context';

/** Whether a write was refused because another record holds one of its unique values, or because another write came first. */
export const isValueTaken = (answer: CallFailure): boolean => answer.code === 'crm_value_taken' || answer.code === 'crm_conflict';

/** The failure of a write whose unique value belongs to another record. */
export function valueTakenFailure(refusal: CallFailure): CallFailure {
  if (refusal.holderId === undefined) return refusal;
  return {
    ...refusal,
    kind: 'permanent',
    code: 'crm_value_taken',
    message: `the CRM record ${refusal.holderId} already has a unique value of this record: ${refusal.message}`,
  };
}

/**
 * Finds the record that holds a value which the CRM reports as taken (ADR 0034): the record with the entity's own identity,
 * looked up once. If there is one, another client created it at the same moment, or it is mapped elsewhere. The holder that the
 * CRM names may match by a different property: it must not be written, unless it also has the identity value, which a search may
 * not show yet.
 */
export function createFindValueHolder(findByIdentity: FindByIdentity, calls: Pick<RecordCalls, 'read'>) {
  const fold = (value: string | null | undefined): string => (value ?? '').trim().toLowerCase();
  return async (unit: UnitContext, write: RecordWrite, refusal: CallFailure): Promise<CallResult<string | null>> => {
    const { objectType, identityProperty, identityValue } = write;
    if (identityProperty === null || identityValue === null) return { ok: true, value: null };
    if (refusal.holderId !== undefined) {
      const holder = await calls.read(objectType, null, [identityProperty], { unit, value: refusal.holderId });
      if (!holder.ok) return holder;
      if (holder.value && fold(holder.value.properties[identityProperty]) === fold(identityValue))
        return { ok: true, value: holder.value.id };
    }
    const found = await findByIdentity(unit, write);
    return found.ok ? { ok: true, value: found.value?.id ?? null } : found;
  };
}
