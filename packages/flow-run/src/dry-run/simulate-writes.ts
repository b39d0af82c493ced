import { permanent, type CompiledEntity, type Outcome } from '@sluice/flow-engine';

/** An entity that the CRM knows, or the failure that says why it does not. */
export function crmEntity(entity: CompiledEntity | undefined, name: unknown): CompiledEntity | Outcome {
  if (!entity) return permanent('unknown_entity', `entity '${String(name)}' is not in this config`);
  if (!entity.crm || entity.objectType === null)
    return permanent('entity_without_crm_schema', `entity '${entity.name}' has no schema 'crm' with an object_type`);
  return entity;
}
