import type { CallFailure, CallResult, ClaimKey, CrmRecord, PromoteRequest, PromoteResult } from '@sluice/ports';
import { createFindByIdentity } from '../finding/find-by-identity';
import { normalizeIdentity } from '../shared/normalize-identity';
import type { PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import type { RecordMappings } from '../state/record-mappings';
import { isOwn } from '../state/mapping-of-event';
import { isValueTaken } from './value-holder';
import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';

type Answer = CallResult<PromoteResult>;

const answer = (crmId: string, previous: string | null, more: Partial<PromoteResult>): Answer => ({
  ok: true,
  value: { promoted: false, crm_id: crmId, previous_external_id: previous, reason: null, conflict: null, ...more },
});
const conflict = (crmId: string, previous: string | null, message: string): Answer =>
  answer(crmId, previous, { reason: 'identity_conflict', conflict: message });

/** What a record had before it gets its identity. */
interface Before {
  /** Its identity value, else `other`. */
  previous: string | null;
  /** Another external id that is mapped to it, until the identity is written. */
  other: string | null;
}

/** The CRM compares texts without regard to case. */
const isSame = (property: string, one: string, other: string): boolean =>
  normalizeIdentity(property, one).toLowerCase() === normalizeIdentity(property, other).toLowerCase();

/**
 * `promote_identity`, by the rules of an adoption: the identity property first, then the mapping; both may be repeated. A record
 * with another identity is not changed, unless the replay is forced.
 */
export function createPromoteRecord(
  parts: WriterParts,
  session: PortalSession,
  calls: RecordCalls,
  mappingsTo: RecordMappings,
): (unit: UnitContext, request: PromoteRequest) => Promise<Answer> {
  const findByIdentity = createFindByIdentity(parts, session, calls);

  /** Another external id of the entity in this connector that is mapped to the record. */
  const otherId = async (unit: UnitContext, { target }: PromoteRequest, crmId: string): Promise<string | null> => {
    const { entity, externalId, objectType } = target;
    const mappings = await mappingsTo({ portalId: session.portalId, objectType, crmId });
    const others = mappings.filter(
      (mapping) =>
        mapping.connectorId === unit.connectorId &&
        mapping.bindingEpoch === unit.binding.epoch &&
        mapping.entity === entity &&
        mapping.externalId !== externalId,
    );
    return others[0]?.externalId ?? null;
  };

  const save = (unit: UnitContext, { target }: PromoteRequest, record: CrmRecord, { other, previous }: Before): Answer => {
    const { entity, objectType } = target;
    const externalId = target.externalId!;
    if (other !== null) parts.mappings.remove(unit, { entity, externalId: other, objectType, crmId: record.id }, true);
    parts.landed.note(unit, { objectType, crmId: record.id });
    parts.mappings.save(unit, { entity, externalId, objectType, crmId: record.id }, true);
    return answer(record.id, previous, { promoted: true });
  };

  const write = async (
    unit: UnitContext,
    request: PromoteRequest,
    property: string,
    record: CrmRecord,
    before: Before,
  ): Promise<Answer> => {
    const { objectType } = request.target;
    const identityValue = request.target.identityValue!;
    const holder = await findByIdentity(unit, request.target);
    if (!holder.ok) return holder;
    if (holder.value && holder.value.id !== record.id) return taken(record.id, before.previous, holder.value.id);
    const properties = { [property]: identityValue };
    const written = await calls.update(objectType, { unit, id: record.id, properties });
    if (!written.ok && isValueTaken(written)) return taken(record.id, before.previous, written.holderId ?? 'another record');
    if (!written.ok) return written;
    return save(unit, request, record, before);
  };

  /** One event at a time assigns an identity, so that two records never get the same. */
  const claimed = async (
    unit: UnitContext,
    request: PromoteRequest,
    property: string,
    record: CrmRecord,
    before: Before,
  ): Promise<Answer> => {
    const { objectType } = request.target;
    const value = normalizeIdentity(property, request.target.identityValue!);
    const claim: ClaimKey = { portalId: session.portalId, objectType, property, value };
    return parts.claims.alone(claim, async () => {
      const state = await parts.claims.claim(unit, claim);
      if (state.state === 'pending') return postponed;
      if (state.state === 'done' && state.crmId !== record.id) {
        const read = await calls.read(objectType, null, [], { unit, value: state.crmId });
        if (!read.ok) return read;
        if (read.value && read.value.id !== record.id) return taken(record.id, before.previous, read.value.id);
      }
      const done = await write(unit, request, property, record, before);
      if (done.ok && done.value.promoted) unit.effects.claimsDone.push({ crmId: record.id, ...claim });
      else if (done.ok || done.kind === 'permanent') unit.effects.claimsReleased.push(claim);
      return done;
    });
  };

  return async (unit, request) => {
    const { target, crmId } = request;
    const { entity, externalId, objectType, identityProperty: property } = target;
    if (property === null || externalId === null || target.identityValue === null) return missing(entity);
    const mapping = await parts.mappings.find(unit, entity, externalId);
    if (mapping?.crmId === crmId) return isOwn(unit, mapping) ? answer(crmId, null, { promoted: true }) : kept(crmId, externalId);
    const read = await calls.read(objectType, null, [property], { unit, value: crmId });
    if (!read.ok) return read;
    const record = read.value;
    if (!record) return notFound(objectType, crmId);
    if (unit.guarded && (await parts.landed.superseded(unit, objectType, record.id)))
      return answer(record.id, null, { reason: 'superseded' });
    if (mapping && mapping.crmId !== record.id && !unit.forced)
      return conflict(crmId, null, `external id '${externalId}' is mapped to the record ${mapping.crmId}`);
    const held = record.properties[property] ?? '';
    const hasOther = held.trim() !== '' && !isSame(property, held, target.identityValue);
    if (hasOther && !unit.forced) return conflict(record.id, held, `record ${record.id} has the identity '${held}'`);
    const other = await otherId(unit, request, record.id);
    if (other !== null && !unit.forced)
      return conflict(record.id, other, `record ${record.id} is mapped to the external id '${other}'`);
    const before: Before = { other, previous: hasOther ? held : other };
    return held.trim() !== '' && !hasOther
      ? save(unit, request, record, before)
      : claimed(unit, request, property, record, before);
  };
}

const kept = (crmId: string, externalId: string): Answer => answer(crmId, externalId, { reason: 'already_mapped' });

const postponed: CallFailure = {
  ok: false,
  kind: 'transient',
  code: 'identity_claimed',
  message: 'another event is creating a record of this identity',
};

const taken = (crmId: string, previous: string | null, holder: string): Answer =>
  conflict(crmId, previous, `the identity is that of the record ${holder}`);

const missing = (entity: string): CallFailure => ({
  ok: false,
  kind: 'permanent',
  code: 'identity_missing',
  message: `entity '${entity}' has no identity property to promote to`,
});

const notFound = (objectType: string, crmId: string): CallFailure => ({
  ok: false,
  kind: 'permanent',
  code: 'crm_not_found',
  message: `no ${objectType} with id ${crmId} exists`,
});
