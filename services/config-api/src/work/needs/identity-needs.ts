import type { ConfigDocument } from '@sluice/contracts';

/** An identity property of an object type, named by an entity. */
export interface IdentityNeed {
  entity: string;
  field: string;
  objectType: string;
  property: string;
}

/** Entities whose records are counted at most, because a portal allows only few searches. */
const maxEntities = 20;

/** The identity properties of a config, each once. */
export function identityNeeds({ entities }: ConfigDocument): IdentityNeed[] {
  const needs = new Map<string, IdentityNeed>();
  for (const [index, { name, schemas }] of entities.entries()) {
    const { object_type: objectType, identity } = schemas.crm ?? {};
    const key = `${objectType} ${identity?.property}`;
    if (objectType === undefined || identity === undefined || identity.property === 'hs_object_id' || needs.has(key)) continue;
    if (needs.size === maxEntities) break;
    const field = `entities.${index}.schemas.crm.identity.property`;
    needs.set(key, { entity: name, field, objectType, property: identity.property });
  }
  return [...needs.values()];
}
