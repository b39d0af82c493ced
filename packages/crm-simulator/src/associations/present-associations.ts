import type { ObjectType } from '../model/object-types';
import type { PortalState } from '../state/portal-state';
import type { AssociationType } from '../stores/association-types';

/** The older name of a type: `contact_to_company`. */
export const associationTypeName = (from: ObjectType, to: ObjectType, type: AssociationType): string => {
  const base = `${from.singular}_to_${to.singular}`;
  if (type.isDefault) return type.category === 'HUBSPOT_DEFINED' && from.id !== to.id ? base : `${base}_unlabeled`;
  return type.singleSide ? `${base}_primary` : (type.label ?? type.name).toLowerCase().replace(/\W+/g, '_');
};

/** `associations` of a read: by plural name, one entry per partner and type (docs/reference/crm-api.md, Writing). */
export function presentAssociations(
  portal: PortalState,
  from: ObjectType,
  id: string,
  targets: readonly ObjectType[],
): Record<string, { results: { id: string; type: string }[] }> {
  const shown: Record<string, { results: { id: string; type: string }[] }> = {};
  for (const to of targets) {
    const results = [...portal.associations.of({ typeId: from.id, id }, to.id)].flatMap(([partner, ids]) =>
      [...ids].flatMap((typeId) => {
        const type = portal.associationTypes.get(from.id, to.id, typeId);
        return type ? [{ id: partner, type: associationTypeName(from, to, type) }] : [];
      }),
    );
    if (results.length > 0) shown[to.name] = { results };
  }
  return shown;
}
