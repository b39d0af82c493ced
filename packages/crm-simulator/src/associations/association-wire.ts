import { invalid, notFound, refuse } from '../http/refusal';
import { type Problem } from '../state/problem';
import type { ObjectType } from '../model/object-types';
import type { PortalState } from '../state/portal-state';
import type { RecordRef } from '../stores/association-store';
import type { AssociationType } from '../stores/association-types';

/** Both records of an association, known to exist. */
export interface Endpoints {
  readonly from: RecordRef;
  readonly to: RecordRef;
}

/** Finds both records; the side that is missing is named. */
export function endpoint(
  portal: PortalState,
  fromType: ObjectType,
  fromId: string,
  toType: ObjectType,
  toId: string,
): { ends: Endpoints } | { problem: Problem } {
  const missing = (type: ObjectType, id: string, side: 'FROM' | 'TO'): { problem: Problem } => ({
    problem: notFound(`No ${type.singular} with ID ${id} exists`, {
      subCategory: `crm.associations.${side}_OBJECT_NOT_FOUND`,
      context: { [side === 'FROM' ? 'fromObjectId' : 'toObjectId']: [id] },
    }),
  });
  const from = portal.space(fromType).store.findLive(fromId);
  if (!from) return missing(fromType, fromId, 'FROM');
  const to = portal.space(toType).store.findLive(toId);
  if (!to) return missing(toType, toId, 'TO');
  return { ends: { from: { typeId: fromType.id, id: from.id }, to: { typeId: toType.id, id: to.id } } };
}

/** The unlabelled type of a pair, or a 400 when the two kinds cannot be associated. */
export function requireDefault(portal: PortalState, from: ObjectType, to: ObjectType): AssociationType {
  return (
    portal.associationTypes.defaultOf(from.id, to.id) ??
    refuse(
      invalid(`No default association exists between ${from.legacyName} and ${to.legacyName}`, {
        subCategory: 'crm.associations.INVALID_ASSOCIATION_TYPE',
      }),
    )
  );
}

/** Result of setting labels. */
export const linkedAnswer = (ends: Endpoints, types: readonly AssociationType[]): Record<string, unknown> => ({
  fromObjectTypeId: ends.from.typeId, fromObjectId: ends.from.id, toObjectTypeId: ends.to.typeId, toObjectId: ends.to.id,
  labels: types.flatMap((type) => type.label ?? []),
});

/** Results of a default association: both directions. */
export const defaultResults = (ends: Endpoints, type: AssociationType): Record<string, unknown>[] => [
  {
    from: { id: ends.from.id },
    to: { id: ends.to.id },
    associationSpec: { associationCategory: type.category, associationTypeId: type.typeId },
  },
  {
    from: { id: ends.to.id },
    to: { id: ends.from.id },
    associationSpec: { associationCategory: type.category, associationTypeId: type.inverseId },
  },
];

export interface PartnersPage {
  readonly results: { toObjectId: string; associationTypes: { category: string; typeId: number; label: string | null }[] }[];
  readonly paging?: { next: { after: string } };
}

/** A page of a record's partners of one kind; `after` is the last id of the page before. */
export function partnersPage(
  portal: PortalState,
  from: ObjectType,
  id: string,
  to: ObjectType,
  after: string | undefined,
  limit: number,
): PartnersPage {
  const partners = [...portal.associations.of({ typeId: from.id, id }, to.id)]
    .sort(([a], [b]) => Number(a) - Number(b))
    .filter(([partner]) => after === undefined || after === '' || Number(partner) > Number(after));
  const results = partners.slice(0, limit).map(([toObjectId, ids]) => ({
    toObjectId,
    associationTypes: [...ids].flatMap((typeId) => {
      const type = portal.associationTypes.get(from.id, to.id, typeId);
      return type ? [{ category: type.category, typeId, label: type.label }] : [];
    }),
  }));
  return partners.length > limit ? { results, paging: { next: { after: results[limit - 1]!.toObjectId } } } : { results };
}

/**
 * A 400 when one of these types would give either record more partners than its limit allows (docs/reference/crm-api.md,
 * Associations).
 */
export function limitProblem(portal: PortalState, ends: Endpoints, types: readonly AssociationType[]): Problem | undefined {
  const over = (from: RecordRef, to: RecordRef, type: AssociationType | undefined): boolean => {
    const max = type && portal.associationTypes.limitOf(type);
    if (!type || max === undefined) return false;
    const partners = portal.associations.of(from, to.typeId);
    const held = [...partners].filter(([id, ids]) => id !== to.id && ids.has(type.typeId)).length;
    return held >= max;
  };
  const full = types.find(
    (type) =>
      over(ends.from, ends.to, type) || over(ends.to, ends.from, portal.associationTypes.get(type.to, type.from, type.inverseId)),
  );
  return (
    full &&
    invalid(`The limit of associations of type ${full.typeId} is reached for ${ends.from.id} or ${ends.to.id}`, {
      subCategory: 'crm.associations.ASSOCIATION_LIMIT_EXCEEDED',
    })
  );
}
