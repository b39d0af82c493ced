import { permanent, type CompiledEntity, type EntityLookup, type Outcome, type RecordTarget } from '@sluice/flow-engine';

/** An entity that can be written to the CRM, or the permanent failure that says why it cannot. */
export function crmEntity(
  entities: EntityLookup,
  name: string,
): { ok: true; entity: CompiledEntity } | { ok: false; outcome: Outcome } {
  const entity = entities.get(name);
  if (!entity) return { ok: false, outcome: permanent('unknown_entity', `entity '${name}' is not in this config`) };
  if (!entity.crm || entity.objectType === null) {
    return {
      ok: false,
      outcome: permanent('entity_without_crm_schema', `entity '${name}' has no schema 'crm' with an object_type`),
    };
  }
  return { ok: true, entity };
}

/**
 * The keys of a record for `touches`: the key of its mapping, and its identity value in the CRM, because two entities may
 * describe one CRM record. Without an id nothing is touched.
 */
export function recordKeys({ entity, externalId, objectType, identityValue }: RecordTarget): string[] {
  const keys: string[] = [];
  if (externalId !== null) keys.push(`${entity}:${externalId}`);
  if (identityValue !== null) keys.push(`${objectType}#${identityValue.trim().toLowerCase()}`);
  return keys;
}
