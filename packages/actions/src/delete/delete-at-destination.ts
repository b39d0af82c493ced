import { done, failed, percentEncode, permanent, type EntityLookup, type FlowContext, type Outcome } from '@sluice/flow-engine';
import type { IdentityMap, RestTargets, TargetRequest } from '@sluice/ports';
import { destinationSchema } from '../shared/destination-schema';
import { stepHeaders } from '../shared/step-headers';
import type { DeleteFields } from './delete-fields';

/** The placeholder of the external id in the URL of a REST delete. */
export const idPlace = '{external_id}';

interface Deletion {
  config: Pick<DeleteFields, 'target' | 'entity' | 'url' | 'method' | 'headers'>;
  entities: EntityLookup;
  ctx: FlowContext;
  stepId: string;
  rest: RestTargets;
  identities: IdentityMap;
}

/**
 * Deletes at a REST destination what the CRM object of the event is mapped to. The mapping is removed once the destination
 * confirms that the record does not exist any more, and kept after any other answer.
 */
export async function deleteAtDestination({ config, entities, ctx, stepId, rest, identities }: Deletion): Promise<Outcome> {
  const entity = entities.get(config.entity);
  if (!entity) return permanent('unknown_entity', `entity '${config.entity}' is not in this config`);
  if (entity.objectType === null)
    return permanent('entity_without_crm_schema', `entity '${entity.name}' has no schema 'crm' with an object_type`);
  const crmId = entity.crmObjectId(ctx, destinationSchema([...entity.projections.keys()], config.target));
  const facts = { entity: entity.name, crm_id: crmId };
  const unmapped = done({ ...facts, external_id: null, deleted: false, already_absent: false, reason: 'no_identity_mapping' });
  if (crmId === null) return unmapped;
  const record = { entity: entity.name, objectType: entity.objectType, crmId };
  const found = await identities.externalIdOf(record);
  if (!found.ok) return failed(found);
  if (found.value === null) return unmapped;
  const externalId = found.value;
  const request: TargetRequest = {
    target: config.target, method: config.method ?? 'DELETE', headers: stepHeaders(config.headers), stepId, statusOnly: true,
    url: (config.url ?? '').replaceAll(idPlace, () => percentEncode(externalId)),
  };
  const answer = await rest.send(request);
  const alreadyAbsent = !answer.ok && answer.status === 404;
  const deleted = answer.ok || alreadyAbsent;
  const output = { ...facts, external_id: externalId, deleted, already_absent: alreadyAbsent, reason: null };
  if (!answer.ok && !alreadyAbsent) {
    const { kind, code, message, retryAfterMs } = answer;
    return failed({ kind, code, message, ...(retryAfterMs !== undefined && { retryAfterMs }) }, { output, wrote: false });
  }
  identities.remove({ ...record, externalId });
  return done(output, { wrote: true });
}
