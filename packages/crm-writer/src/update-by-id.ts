import type { CallResult, RecordWriteResult, UpdateByIdRequest } from '@sluice/ports';
import { keepWritten } from './echo-policy';
import type { RecordCalls } from './record-calls';
import type { UnitContext } from './unit-context';
import type { WriterParts } from './writer-parts';

/** `update_by_id`: shares the batches of all updates. An older event that is guarded writes nothing over a newer write. */
export function createUpdateById(
  { landed, fingerprints }: Pick<WriterParts, 'landed' | 'fingerprints'>,
  calls: Pick<RecordCalls, 'update'>,
): (unit: UnitContext, request: UpdateByIdRequest) => Promise<CallResult<RecordWriteResult>> {
  const superseded = (crmId: string): CallResult<RecordWriteResult> => ({
    ok: true,
    value: { crm_id: crmId, created: false, updated: false, skipped: true, reason: 'superseded' },
  });
  return async (unit, { objectType, crmId, properties }) => {
    if (unit.guarded && (await landed.superseded(unit, objectType, crmId))) return superseded(crmId);
    const outdated = (): boolean => landed.outdated(unit, { objectType, crmId });
    const answer = await calls.update(objectType, { unit, id: crmId, properties, ...(unit.guarded && { superseded: outdated }) });
    if (!answer.ok) return answer.code === 'superseded' ? superseded(crmId) : answer;
    landed.note(unit, { objectType, crmId: answer.value.id });
    await keepWritten(fingerprints, unit, { objectType, crmId: answer.value.id, properties });
    return { ok: true, value: { crm_id: answer.value.id, created: false, updated: true, skipped: false, reason: null } };
  };
}
