import { callFailure, type ClaimKey, type RecordWrite } from '@sluice/ports';
import type { RecordCalls } from '../calls/record-calls';
import { createFindByIdentity } from '../finding/find-by-identity';
import type { PortalSession } from '../session/portal-session';
import { normalizeIdentity } from '../shared/normalize-identity';
import type { UnitContext } from '../shared/unit-context';
import { isOwn } from '../state/mapping-of-event';
import type { WriterParts } from '../state/writer-parts';
import { ClaimedCreate, type CreateTools } from './claimed-create';
import { type CreateAnswer, created, made, skipped } from './create-answers';
import { createMissingOptions } from './missing-options';
import { createFindValueHolder } from './value-holder';

export type CreateRecord = (unit: UnitContext, write: RecordWrite) => Promise<CreateAnswer>;

/**
 * Creates a record, once. A claim comes before every create (ADR 0007), also where the CRM keeps the identity unique: it
 * distinguishes a record that an earlier attempt of the same event made, which is mapped, from one that existed before, which is
 * not changed.
 */
export function createCreateRecord(parts: WriterParts, session: PortalSession, calls: RecordCalls): CreateRecord {
  const findByIdentity = createFindByIdentity(parts, session, calls);
  const tools: CreateTools = {
    parts, session, calls, findByIdentity,
    options: createMissingOptions(parts, session),
    findValueHolder: createFindValueHolder(findByIdentity, calls),
  };
  return async (unit, write) => {
    const claim = claimOf(session, write);
    const known = await mapped(parts, unit, write, claim);
    if (known) return known;
    if (!claim)
      return callFailure('permanent', 'identity_missing', `entity '${write.entity}' has no identity value in this event`);
    // Another unit of this process may have mapped the record while this one waited for its turn.
    return parts.claims.alone(claim, async () =>
      (await mapped(parts, unit, write, claim)) ?? new ClaimedCreate(unit, write, claim, tools).run());
  };
}

function claimOf({ portalId }: PortalSession, write: RecordWrite): ClaimKey | null {
  const { objectType, identityProperty: property, identityValue } = write;
  if (property === null || identityValue === null) return null;
  return { portalId, objectType, property, value: normalizeIdentity(property, identityValue) };
}

/** The answer when the external id is mapped to a record already; null: it is not. */
async function mapped(
  parts: WriterParts, unit: UnitContext, write: RecordWrite, claim: ClaimKey | null,
): Promise<CreateAnswer | null> {
  const { entity, externalId } = write;
  const mapping = externalId === null ? null : await parts.mappings.find(unit, entity, externalId);
  if (!mapping) return null;
  if (!isOwn(unit, mapping)) return skipped(mapping.crmId, 'already_mapped');
  // The outcome of the attempt that made the record was not stored, nor its effects.
  return claim && !unit.retried ? made(parts, unit, write, claim, mapping.crmId) : created(mapping.crmId);
}
