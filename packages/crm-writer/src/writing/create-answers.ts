import type { CallResult, ClaimKey, OutcomeReason, RecordWrite, RecordWriteResult } from '@sluice/ports';
import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';

export type CreateAnswer = CallResult<RecordWriteResult>;

/** The answer to a write that created a record. */
export const created = (crmId: string): CreateAnswer => ({
  ok: true,
  value: { crm_id: crmId, created: true, updated: false, skipped: false, reason: null },
});

/** The answer to a create that changed nothing. */
export const skipped = (crmId: string | null, reason: OutcomeReason): CreateAnswer => ({
  ok: true,
  value: { crm_id: crmId, created: false, updated: false, skipped: true, reason },
});

/** The event created this record: it is mapped, and its claim is done. */
export function made(
  parts: Pick<WriterParts, 'landed' | 'mappings'>, unit: UnitContext, write: RecordWrite, claim: ClaimKey, crmId: string,
): CreateAnswer {
  const { entity, externalId, objectType } = write;
  unit.effects.claimsDone.push({ crmId, ...claim });
  if (externalId === null) parts.landed.noteUnmapped(unit, { objectType, crmId });
  else {
    parts.landed.note(unit, { objectType, crmId });
    parts.mappings.save(unit, { entity, externalId, objectType, crmId }, true);
  }
  return created(crmId);
}
