import { invalid, refuse } from './refusal';
import { listParam } from './request-body';
import type { PortalCall } from './route';
import type { ObjectType } from '../model/object-types';
import type { CrmRecord, RecordStore } from '../stores/record-store';
import { uniqueKey } from '../stores/unique-key';

/** The object type named in the path; unknown names and ids have their own texts (docs/reference/crm-api.md, Writing). */
export function typeOfCall(call: PortalCall, param = 't'): ObjectType {
  return requireType(call.portal, call.params[param] ?? '');
}

export function requireType(portal: PortalCall['portal'], name: string): ObjectType {
  const type = portal.typeNamed(name);
  if (type) return type;
  return refuse({
    status: 400,
    message: /^\d+-\d+$/.test(name) ? `Invalid object or event type id: ${name}` : `Unable to infer object type from: ${name}`,
  });
}

/** The scopes of a read or write of the path's object types. An unknown type is refused by the handler. */
export const objectScopes = (verb: 'read' | 'write', ...params: readonly string[]) => (call: PortalCall): string[][] => {
  const types = params.map((param) => call.portal.typeNamed(call.params[param] ?? ''));
  // Every type has alternatives; all types are needed: the product of both.
  let sets: string[][] = [[]];
  for (const type of types) {
    const own = (verb === 'read' ? type?.readScopes : type?.writeScopes) ?? [];
    if (own.length > 0) sets = sets.flatMap((set) => own.map((scope) => [...set, scope]));
  }
  return sets.length === 1 && sets[0]!.length === 0 ? [] : sets;
};

/** The scopes of reading or changing a type's definitions. */
export const schemaScopes = (verb: 'read' | 'write') => (call: PortalCall): string[][] => {
  const type = call.portal.typeNamed(call.params['t'] ?? '');
  const own = verb === 'read' ? [...(type?.schemaReadScopes ?? []), ...(type?.readScopes ?? [])] : type?.schemaWriteScopes;
  return (own ?? []).map((scope) => [scope]);
};

/** What the query asks to be returned. */
export const viewOfQuery = (call: PortalCall): { properties: string[]; history: string[] } => ({
  properties: listParam(call.query, 'properties'), history: listParam(call.query, 'propertiesWithHistory'),
});

/** Refuses an `idProperty` that does not identify records; undefined and `hs_object_id` mean the record id. */
export function checkIdProperty(store: RecordStore, type: ObjectType, idProperty: string | null | undefined): string | undefined {
  if (idProperty === undefined || idProperty === null || idProperty === '' || idProperty === 'hs_object_id') return undefined;
  if (!store.isUnique(idProperty)) refuse(invalid(`${idProperty} is not a unique property of ${type.id}`));
  return idProperty;
}

/** A record by id or by a unique property, archived or live as requested. */
export function lookUp(
  store: RecordStore,
  type: ObjectType,
  id: string,
  idProperty: string | undefined,
  archived = false,
): CrmRecord | undefined {
  if (idProperty !== undefined && !archived) return store.holder(idProperty, uniqueKey(type, idProperty, id));
  if (idProperty !== undefined) {
    const key = uniqueKey(type, idProperty, id);
    return [...store.records.values()].find((record) => record.archived && record.properties[idProperty] === key);
  }
  const record = store.find(id);
  return record && record.archived === archived ? record : undefined;
}
