import { type Finding, finding } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import type { CallResult } from '@sluice/ports';

/** Entities whose records are counted at most, because a portal allows only few searches. */
const maxEntities = 20;

/** How many records of a type have no value in a property; null: the portal has no such property or type yet. */
export type CountWithout = (objectType: string, property: string) => Promise<CallResult<number> | null>;

/** An identity property of an object type, named by an entity. */
export interface IdentityNeed {
  entity: string;
  field: string;
  objectType: string;
  property: string;
}

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

/** Object types of which the portal holds records that no event will ever find, because they have no identity value. */
export async function identityFindings(needs: readonly IdentityNeed[], countWithout: CountWithout): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { objectType: type, property, ...place } of needs) {
    const count = await countWithout(type, property);
    if (count === null) continue;
    if (!count.ok) {
      found.push(finding({
        ...place, severity: 'warning', code: 'existing_records_not_checked',
        message: `the records of '${type}' were not checked: ${count.message}`, suggestion: 'Run the preflight again.',
      }));
      if (count.kind === 'transient') break;
    } else if (count.value > 0)
      found.push(finding({
        ...place, severity: 'warning', code: 'existing_records_missing_identity_property',
        message: `${count.value} records of '${type}' on the portal have no value in '${property}': nothing finds them`,
        suggestion: 'Fill the property on these records, or adopt them one by one (POST /identity/adopt).',
      }));
  }
  return found;
}
