import type { CallResult, RecordTarget } from '@sluice/ports';
import { createFindByIdentity } from './find-by-identity';
import type { WriterParts } from '../state/writer-parts';
import type { PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import type { UnitContext } from '../shared/unit-context';

/**
 * The CRM id of a record another step names: by its mapping first, then by its identity value. null: it does not exist (yet). A
 * record found in the CRM is mapped, so that the next look-up needs no call.
 */
export async function resolveRecord(
  parts: WriterParts, session: PortalSession, calls: RecordCalls, unit: UnitContext, target: RecordTarget,
): Promise<CallResult<string | null>> {
  if (target.externalId !== null) {
    const mapping = await parts.mappings.find(unit, target.entity, target.externalId);
    if (mapping) return { ok: true, value: mapping.crmId };
  }
  const found = await createFindByIdentity(parts, session, calls)(unit, target);
  if (!found.ok) return found;
  const record = found.value;
  if (!record) return { ok: true, value: null };
  if (target.externalId !== null) {
    parts.mappings.save(
      unit,
      { entity: target.entity, externalId: target.externalId, objectType: target.objectType, crmId: record.id },
      false,
    );
  }
  return { ok: true, value: record.id };
}
