import type { CrmRecord, CrmResult, MappingStore } from '@sluice/ports';
import { apiError, HttpError, validationEntry } from '@sluice/service-kit';
import { portalTrouble } from '../../http/portal-trouble';
import type { PortalCalls } from '../../provisioning/open-portal';
import type { AdoptableEntity } from './adoptable-entity';

export interface AdoptRequest extends AdoptableEntity {
  connectorId: string;
  entity: string;
  bindingEpoch: number;
  matchProperty: string;
  matchValue: string;
  externalId: string;
}

export interface Adoption {
  status: 'adopted' | 'already_mapped' | 'not_found' | 'ambiguous' | 'identity_conflict';
  crmId: string | null;
  message: string | null;
  candidates: string[];
}

/** Ids that an ambiguous match names. */
const maxCandidates = 10;

const outcome = (status: Adoption['status'], crmId: string | null, message: string | null, candidates: string[] = []): Adoption =>
  ({ status, crmId, message, candidates });

/**
 * Gives the one record that matches the external id: in its identity property first, then as a mapping. Both may be repeated. A
 * record with another identity is never changed.
 */
export async function adopt(portal: PortalCalls, mappings: MappingStore, request: AdoptRequest): Promise<Adoption> {
  const { connectorId, entity, objectType, identityProperty, externalId } = request;
  const mapped = await mappings.find(connectorId, entity, externalId);
  if (mapped) return outcome('already_mapped', mapped.crmId, 'The external id has a mapping.');
  const matches = await search(portal, request, request.matchProperty, request.matchValue);
  if (matches.length === 0) return outcome('not_found', null, `No record has this value in '${request.matchProperty}'.`);
  const ids = matches.map(({ id }) => id);
  if (ids.length > 1) return outcome('ambiguous', null, `Several records have this value in '${request.matchProperty}'.`, ids);
  const record = matches[0]!;
  const held = record.properties[identityProperty] ?? '';
  if (held !== '' && !sameIdentity(held, externalId))
    return outcome('identity_conflict', record.id, `The record has the identity '${held}'.`);
  const other = await mappings.findByRecord(connectorId, entity, { objectType, crmId: record.id });
  if (other) return outcome('identity_conflict', record.id, `The record is mapped to the external id '${other.externalId}'.`);
  if (held === '') {
    const holders = await search(portal, request, identityProperty, externalId);
    const holder = holders.find(({ id }) => id !== record.id);
    if (holder) return outcome('identity_conflict', holder.id, `Another record has the identity '${externalId}'.`);
    const conflict = await writeIdentity(portal, request, record.id);
    if (conflict !== null) return outcome('identity_conflict', conflict, `Another record has the identity '${externalId}'.`);
  }
  const saved = await mappings.save({
    connectorId, entity, externalId, objectType, crmId: record.id, portalId: portal.portalId, bindingEpoch: request.bindingEpoch,
  });
  if (saved === 'binding_changed') throw apiError('binding_changed');
  if (saved === 'saved') return outcome('adopted', record.id, null);
  // Another request was faster: the present mapping decides the answer.
  const now = await mappings.find(connectorId, entity, externalId);
  return now
    ? outcome('already_mapped', now.crmId, 'The external id has a mapping.')
    : outcome('identity_conflict', record.id, 'The record was mapped to another external id meanwhile.');
}

/** The CRM trims what it stores, and e-mail addresses are in lower case there. */
const sameIdentity = (held: string, wanted: string): boolean => held.trim().toLowerCase() === wanted.trim().toLowerCase();

async function search(
  portal: PortalCalls, { objectType, identityProperty }: AdoptRequest, propertyName: string, value: string,
): Promise<CrmRecord[]> {
  const answer = await portal.search(objectType, {
    filterGroups: [{ filters: [{ propertyName, operator: 'EQ', value }] }], properties: [identityProperty], limit: maxCandidates,
  });
  if (answer.ok) return answer.value.results;
  throw refusal(answer, propertyName === identityProperty ? 'external_id' : 'match_property');
}

/** Writes the identity; the id of the record that holds it already, null when it was written. */
async function writeIdentity(
  portal: PortalCalls, { objectType, identityProperty, externalId }: AdoptRequest, id: string,
): Promise<string | null> {
  const input = { id, traceId: id, properties: { [identityProperty]: externalId } };
  const answer = await portal.batchUpdate(objectType, [input]);
  if (!answer.ok && answer.code === 'crm_value_taken') return answer.holderId ?? id;
  if (!answer.ok) throw refusal(answer, 'external_id');
  const [error] = answer.value.errors;
  if (error === undefined) return null;
  if (error.holderId !== undefined) return error.holderId;
  throw new HttpError(422, [validationEntry('body', ['external_id'], 'crm_rejected', error.message, externalId)]);
}

/** A refusal of the CRM is an error of the request; every other failure is one of the CRM. */
function refusal(answer: Extract<CrmResult<unknown>, { ok: false }>, field: string): HttpError {
  if (answer.kind === 'permanent')
    return new HttpError(422, [validationEntry('body', [field], 'crm_rejected', answer.message, null)]);
  return portalTrouble(answer);
}
