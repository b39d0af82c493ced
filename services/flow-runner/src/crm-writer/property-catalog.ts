import type { CallResult, CrmPropertyDefinition } from '@sluice/ports';
import type { PortalSession } from './portal-session';

/** How long property definitions of a portal are believed: administrators rename and delete them. */
const believedMs = 600_000;

/** The definitions of an object type's properties, cached per portal. */
export interface PropertyCatalog {
  /** Whether the CRM itself keeps values of the property unique: then records can be upserted by it. */
  isUnique(session: PortalSession, objectType: string, property: string): Promise<CallResult<boolean>>;
  forget(session: PortalSession, objectType: string): void;
}

const contactTypes = new Set(['contacts', 'contact', '0-1']);

export function createPropertyCatalog(now: () => number): PropertyCatalog {
  const known = new Map<string, { until: number; load: Promise<CallResult<Map<string, CrmPropertyDefinition>>> }>();
  const keyOf = (session: PortalSession, objectType: string): string => `${session.portalId} ${objectType}`;

  const fetchAll = async (session: PortalSession, objectType: string, key: string): Promise<CallResult<Map<string, CrmPropertyDefinition>>> => {
    const answer = await session.call('read', (client, access, options) => client.properties(access, objectType, options));
    if (answer.ok) return { ok: true, value: new Map(answer.value.map((definition) => [definition.name, definition])) };
    known.delete(key);
    return answer;
  };
  const load = (session: PortalSession, objectType: string): Promise<CallResult<Map<string, CrmPropertyDefinition>>> => {
    const key = keyOf(session, objectType);
    const hit = known.get(key);
    if (hit && hit.until > now()) return hit.load;
    const entry = { until: now() + believedMs, load: fetchAll(session, objectType, key) };
    known.set(key, entry);
    return entry.load;
  };
  return {
    isUnique: async (session, objectType, property) => {
      // A contact's email is unique by the CRM's own rule, whatever its definition says (crm-wire-api 2.3).
      if (property === 'email' && contactTypes.has(objectType)) return { ok: true, value: true };
      const definitions = await load(session, objectType);
      return definitions.ok ? { ok: true, value: definitions.value.get(property)?.hasUniqueValue === true } : definitions;
    },
    forget: (session, objectType) => { known.delete(keyOf(session, objectType)); },
  };
}
