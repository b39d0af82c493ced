import type { CallResult, RecordWriteResult } from '@sluice/ports';
import type { RecordSender } from './record-sender';
import type { NotedWrite } from './refused-properties';
import { valueTakenFailure } from './value-holder';
import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';

/**
 * `update_by_id`: shares the batches and the policies of all updates. Its position is stored with the record and not with a
 * mapping, so that an older event which runs late does not overwrite it.
 */
export function createUpdateById(
  { landed }: Pick<WriterParts, 'landed'>,
  sends: Pick<RecordSender, 'update'>,
): (unit: UnitContext, write: NotedWrite, crmId: string) => Promise<CallResult<RecordWriteResult>> {
  return async (unit, write, crmId) => {
    const { objectType } = write;
    const outcome = await sends.update(unit, write, crmId);
    switch (outcome.kind) {
      case 'landed':
        landed.noteUnmapped(unit, { objectType, crmId: outcome.crmId });
        return { ok: true, value: { crm_id: outcome.crmId, created: false, updated: true, skipped: false, reason: null } };
      case 'skipped':
        // A write without properties left counts as written: an older write must not be applied after it.
        if (outcome.reason !== 'superseded') landed.noteUnmapped(unit, { objectType, crmId });
        return { ok: true, value: { crm_id: crmId, created: false, updated: false, skipped: true, reason: outcome.reason } };
      case 'taken':
        return valueTakenFailure(outcome.refusal);
      case 'failed':
        return outcome.failure;
      case 'gone':
      case 'too_late':
        return { ok: false, kind: 'permanent', code: 'crm_not_found', message: `there is no record ${crmId} in ${objectType}` };
    }
  };
}
