import type { CallResult, CrmRecord, RecordTarget } from '@sluice/ports';
import type { PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';

/** A record as its entity identifies it. */
export type Identified = Pick<RecordTarget, 'objectType' | 'identityProperty' | 'identityValue'>;

/**
 * The CRM record with the entity's identity value: read where the CRM keeps the property unique, else searched for (which lags
 * behind writes); the oldest of several. null: there is none, or the event brings no value.
 */
export type FindByIdentity = (unit: UnitContext, target: Identified) => Promise<CallResult<CrmRecord | null>>;

export function createFindByIdentity(
  parts: Pick<WriterParts, 'catalog'>,
  session: PortalSession,
  calls: Pick<RecordCalls, 'read' | 'search'>,
): FindByIdentity {
  return async (unit, { objectType, identityProperty, identityValue }) => {
    if (identityProperty === null || identityValue === null) return { ok: true, value: null };
    const unique = await parts.catalog.isUnique(session, objectType, identityProperty);
    if (!unique.ok) return unique;
    const ask = { unit, value: identityValue };
    if (unique.value) return calls.read(objectType, identityProperty, [], ask);
    const found = await calls.search(objectType, identityProperty, [], ask);
    return found.ok ? { ok: true, value: found.value[0] ?? null } : found;
  };
}
