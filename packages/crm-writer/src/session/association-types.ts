import type { AssociateRequest, CallFailure, CallResult, CrmAssociationType, FailureCode, MonotonicClock } from '@sluice/ports';
import { createTtlCache } from '../shared/ttl-cache';
import { forNoUnit, type PortalSession } from './portal-session';

/** How long a portal's association definitions are cached, and how old an answer may be that lacks what a step names. */
const [ttlMs, lackingMs] = [600_000, 2_000];

/** Pairs of object types kept, of all portals together. */
const maxPairs = 2_000;

/** `default`: the portal's own unlabelled type, which never replaces labels; else exactly this type. */
export type AssociationChoice = { kind: 'default' } | { kind: 'typed'; category: string; typeId: number };

/** The association type that a step means, from the portal's definitions (docs/reference/identity-and-associations.md). */
export interface AssociationTypes {
  choose(
    session: PortalSession,
    fromType: string,
    toType: string,
    request: Pick<AssociateRequest, 'associationTypeId' | 'associationCategory'>,
  ): Promise<CallResult<AssociationChoice>>;
}

const wireCategory = (category: string): string => (category === 'CRM_DEFINED' ? 'HUBSPOT_DEFINED' : category);

const permanent = (code: FailureCode, message: string): CallFailure => ({ ok: false, kind: 'permanent', code, message });

export function createAssociationTypes(monotonicNow: MonotonicClock): AssociationTypes {
  // A pair without any definition is not cached, because an administrator may be creating one now.
  const worthKeeping = (types: CrmAssociationType[]): boolean => types.length > 0;
  const cache = createTtlCache<CrmAssociationType[]>({ ttlMs, max: maxPairs, monotonicNow, worthKeeping });
  const load = (
    session: PortalSession, fromType: string, toType: string, since?: number,
  ): Promise<CallResult<CrmAssociationType[]>> =>
    cache.get(JSON.stringify([session.portalId, fromType, toType]), () =>
      session.call(
        'read', (client, access, options) => client.associationTypes(access, fromType, toType, options), forNoUnit,
      ), since);
  /** An administrator may have created the type since the definitions were read. */
  const loadWith = async (
    session: PortalSession, fromType: string, toType: string, typeId: number | undefined,
  ): Promise<CallResult<CrmAssociationType[]>> => {
    const types = await load(session, fromType, toType);
    if (!types.ok || typeId === undefined || types.value.some((type) => type.typeId === typeId)) return types;
    return load(session, fromType, toType, monotonicNow() - lackingMs);
  };

  const typed = (types: CrmAssociationType[], typeId: number, pair: string): CallResult<AssociationChoice> => {
    const categories = [...new Set(types.filter((type) => type.typeId === typeId).map((type) => type.category))];
    if (categories.length === 1) return { ok: true, value: { kind: 'typed', category: categories[0]!, typeId } };
    return categories.length === 0
      ? permanent('unknown_association_type_id', `association type ${typeId} does not exist between ${pair}`)
      : permanent(
          'ambiguous_association_type_id',
          `association type ${typeId} exists under several categories between ${pair}: give association_category`,
        );
  };

  return {
    choose: async (session, fromType, toType, { associationTypeId, associationCategory }) => {
      if (associationTypeId !== undefined && associationCategory !== undefined) {
        return { ok: true, value: { kind: 'typed', category: wireCategory(associationCategory), typeId: associationTypeId } };
      }
      const types = await loadWith(session, fromType, toType, associationTypeId);
      const pair = `${fromType} and ${toType}`;
      if (!types.ok) return types;
      if (types.value.length === 0)
        return permanent(
          'association_definition_missing',
          `no association between ${pair} is defined on the portal; create it there`,
        );
      return associationTypeId === undefined
        ? { ok: true, value: { kind: 'default' } }
        : typed(types.value, associationTypeId, pair);
    },
  };
}
