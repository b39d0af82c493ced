import { type Finding, finding } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import type { CallResult } from '@sluice/ports';

/** Entities whose records are counted at most, because a portal allows only few searches. */
const maxEntities = 20;

/** How many records of a type have no value in a property; null: the portal has no such property or type yet. */
export type CountWithout = (objectType: string, property: string) => Promise<CallResult<number> | null>;

/** Object types of which the portal holds records that no event will ever find, because they have no identity value. */
export async function identityFindings(config: ConfigDocument, countWithout: CountWithout): Promise<Finding[]> {
  const found: Finding[] = [];
  const seen = new Set<string>();
  for (const [index, { name, schemas }] of config.entities.entries()) {
    const { object_type: type, identity } = schemas.crm ?? {};
    const key = `${type} ${identity?.property}`;
    if (type === undefined || identity === undefined || identity.property === 'hs_object_id' || seen.has(key)) continue;
    if (seen.size === maxEntities) break;
    seen.add(key);
    const count = await countWithout(type, identity.property);
    if (count === null) continue;
    const place = { entity: name, field: `entities.${index}.schemas.crm.identity.property` };
    if (!count.ok) {
      found.push(finding({
        ...place, severity: 'warning', code: 'existing_records_not_checked',
        message: `the records of '${type}' were not checked: ${count.message}`, suggestion: 'Run the preflight again.',
      }));
      if (count.kind === 'transient') break;
    } else if (count.value > 0)
      found.push(finding({
        ...place, severity: 'warning', code: 'existing_records_missing_identity_property',
        message: `${count.value} records of '${type}' on the portal have no value in '${identity.property}': nothing finds them`,
        suggestion: 'Fill the property on these records, or adopt them one by one (POST /identity/adopt).',
      }));
  }
  return found;
}
