import { type Finding, finding } from '@sluice/config-model';
import type { CallResult } from '@sluice/ports';
import type { IdentityNeed } from '../../work/needs/identity-needs';

/** How many records of a type have no value in a property; null: the portal has no such property or type yet. */
export type CountWithout = (objectType: string, property: string) => Promise<CallResult<number> | null>;

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
