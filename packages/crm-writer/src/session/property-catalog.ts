import type { CallResult, CrmPropertyDefinition, MonotonicClock } from '@sluice/ports';
import { createTtlCache } from '../shared/ttl-cache';
import { forNoUnit, type PortalSession } from './portal-session';

/** How long property definitions of a portal are cached: administrators rename and delete them. */
const ttlMs = 600_000;

/** Object types whose definitions are cached, of all portals; with some hundred properties one takes up to 150 KB. */
const maxObjectTypes = 200;

/** The definitions of an object type's properties, cached per portal. */
export interface PropertyCatalog {
  /**
   * Whether the CRM itself keeps values of the property unique: then records can be upserted by it. Synchronous if the
   * definitions are cached.
   */
  isUnique(session: PortalSession, objectType: string, property: string): CallResult<boolean> | Promise<CallResult<boolean>>;
  /**
   * The definition of one property; null: there is none of that name.
   * @param since when it must have been read at the earliest, monotonic milliseconds; default: any cached definition will do
   */
  definition(
    session: PortalSession, objectType: string, property: string, since?: number,
  ): Promise<CallResult<CrmPropertyDefinition | null>>;
  forget(session: PortalSession, objectType: string): void;
}

type Definitions = Map<string, CrmPropertyDefinition>;

const contactTypes = new Set(['contacts', 'contact', '0-1']);

export function createPropertyCatalog(monotonicNow: MonotonicClock): PropertyCatalog {
  const cache = createTtlCache<Definitions>({ ttlMs, max: maxObjectTypes, monotonicNow });
  const keyOf = (session: PortalSession, objectType: string): string => `${session.portalId} ${objectType}`;
  const load = async (session: PortalSession, objectType: string): Promise<CallResult<Definitions>> => {
    const answer = await session.call(
      'read', (client, access, options) => client.properties(access, objectType, options), forNoUnit,
    );
    return answer.ok ? { ok: true, value: new Map(answer.value.map((definition) => [definition.name, definition])) } : answer;
  };
  const definition: PropertyCatalog['definition'] = async (session, objectType, property, since) => {
    const definitions = await cache.get(keyOf(session, objectType), () => load(session, objectType), since);
    return definitions.ok ? { ok: true, value: definitions.value.get(property) ?? null } : definitions;
  };
  return {
    definition,
    isUnique: (session, objectType, property) => {
      // A contact's email is unique by the CRM's own rule, whatever its definition says (docs/reference/crm-api.md, Batches).
      if (property === 'email' && contactTypes.has(objectType)) return { ok: true, value: true };
      const key = keyOf(session, objectType);
      const uniqueness = (definitions: CallResult<Definitions>): CallResult<boolean> =>
        definitions.ok ? { ok: true, value: definitions.value.get(property)?.hasUniqueValue === true } : definitions;
      const known = cache.known(key);
      return known ? uniqueness(known) : cache.get(key, () => load(session, objectType)).then(uniqueness);
    },
    forget: (session, objectType) => cache.forget(keyOf(session, objectType)),
  };
}
