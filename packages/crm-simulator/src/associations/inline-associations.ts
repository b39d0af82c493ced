import { invalid } from '../http/refusal';
import { type Problem } from '../state/problem';
import { isObject } from '../http/request-body';
import type { ObjectType } from '../model/object-types';
import type { PortalState } from '../state/portal-state';
import type { RecordRef } from '../stores/association-store';
import type { AssociationType } from '../stores/association-types';
import { readSpecs } from './association-specs';

/** One association that a create carries. */
export interface InlineLink {
  readonly to: RecordRef;
  readonly types: readonly AssociationType[];
}

/**
 * Reads `associations: [{to: {id}, types}]` of a create (docs/reference/crm-api.md, Writing). The type ids decide the other
 * side's object type; its record must exist.
 */
export function resolveInlineAssociations(
  portal: PortalState,
  type: ObjectType,
  given: unknown,
): { links: InlineLink[] } | { problem: Problem } {
  if (given === undefined || given === null) return { links: [] };
  if (!Array.isArray(given)) return { problem: invalid('Invalid input JSON on line 1, column 2: associations must be a list') };
  const links: InlineLink[] = [];
  for (const entry of given as unknown[]) {
    const to = isObject(entry) && isObject(entry['to']) ? entry['to']['id'] : undefined;
    if (!isObject(entry) || (typeof to !== 'string' && typeof to !== 'number'))
      return { problem: invalid('Invalid input JSON on line 1, column 2. Some required fields were not set: [to]') };
    const target = findTarget(portal, type, entry['types']);
    if ('problem' in target) return target;
    const record = portal.space(target.to).store.findLive(String(to));
    if (!record)
      return {
        problem: invalid(`Could not create the association: no ${target.to.singular} with ID ${to} exists`, {
          subCategory: 'crm.associations.TO_OBJECT_NOT_FOUND',
        }),
      };
    links.push({ to: { typeId: target.to.id, id: record.id }, types: target.types });
  }
  return { links };
}

function findTarget(
  portal: PortalState,
  from: ObjectType,
  specs: unknown,
): { to: ObjectType; types: AssociationType[] } | { problem: Problem } {
  for (const to of portal.types) {
    const read = readSpecs(portal, from, to, specs);
    if ('types' in read && read.types.length > 0) return { to, types: read.types };
  }
  const ids = Array.isArray(specs)
    ? specs.map((spec) => (isObject(spec) ? String(spec['associationTypeId']) : '?')).join(', ')
    : 'none';
  return {
    problem: invalid(`One or more association types are not valid from ${from.legacyName}: ${ids}`, {
      subCategory: 'crm.associations.INVALID_ASSOCIATION_TYPE',
    }),
  };
}
