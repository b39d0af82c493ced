import { invalid } from '../http/refusal';
import { type Problem } from '../state/problem';
import { isObject } from '../http/request-body';
import type { ObjectType } from '../model/object-types';
import type { PortalState } from '../state/portal-state';
import type { AssociationType } from '../stores/association-types';

/** Reads `[{associationCategory, associationTypeId}]` against the types that exist between two kinds of record. */
export function readSpecs(
  portal: PortalState,
  from: ObjectType,
  to: ObjectType,
  specs: unknown,
): { types: AssociationType[] } | { problem: Problem } {
  if (!Array.isArray(specs) || specs.length === 0)
    return { problem: invalid('Invalid input JSON on line 1, column 2. Some required fields were not set: [types]') };
  const types: AssociationType[] = [];
  for (const spec of specs as unknown[]) {
    const typeId = isObject(spec) ? Number(spec['associationTypeId']) : Number.NaN;
    const category = isObject(spec) ? spec['associationCategory'] : undefined;
    const type = portal.associationTypes.get(from.id, to.id, typeId);
    if (!type || type.category !== category) {
      return {
        problem: invalid(
          `${String(category)} ${typeId} is not a valid association type between ${from.legacyName} and ${to.legacyName}`,
          { subCategory: 'crm.associations.INVALID_ASSOCIATION_TYPE' },
        ),
      };
    }
    types.push(type);
  }
  return { types };
}
