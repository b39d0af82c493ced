import { done, failed, permanent, projectRecord, type CompiledEntity, type Outcome } from '@sluice/flow-engine';
import type { Simulate } from './simulated-actions';

export const simulateCreate: Simulate = ({ fields, entities, ctx, records }) => {
  if (fields.target !== 'crm')
    return permanent('target_not_crm', `create writes to the CRM only: use post for '${String(fields.target)}'`);
  const found = crmEntity(entities.get(String(fields.entity)), fields.entity);
  if (!('name' in found)) return found;
  const projected = projectRecord(found, ctx);
  if (!projected.ok) return failed({ kind: 'permanent', code: projected.code, message: projected.message });
  const { target, properties } = projected;
  if (target.externalId === null && target.identityValue === null)
    return permanent('identity_missing', `entity '${found.name}' has no identity value in this event`);
  const result = records.write('create', { ...target, properties }, true);
  return done({ entity: found.name, external_id: target.externalId, ...result }, { wrote: true });
};

/** An entity that the CRM knows, or the failure that says why it does not. */
export function crmEntity(entity: CompiledEntity | undefined, name: unknown): CompiledEntity | Outcome {
  if (!entity) return permanent('unknown_entity', `entity '${String(name)}' is not in this config`);
  if (!entity.crm || entity.objectType === null)
    return permanent('entity_without_crm_schema', `entity '${entity.name}' has no schema 'crm' with an object_type`);
  return entity;
}
