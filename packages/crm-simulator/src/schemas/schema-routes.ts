import { showProperty } from '../definitions/show-property';
import { answer, noContent, type Answer } from '../http/answer';
import { invalid, notFound, refuse } from '../http/refusal';
import { boolParam, jsonBody, stringList } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import type { ObjectType } from '../model/object-types';
import type { CustomSchema } from '../state/portal-state';
import { checkNamedProperties, createSchema, defineAssociation, readLabels, typeOfSchema } from './create-schema';

const iso = (ms: number): string => new Date(ms).toISOString();

/** The schema of the path: by id, qualified name or plain name. Standard types have none to change. */
function find(call: PortalCall): { type: ObjectType; schema: CustomSchema } {
  const type = call.portal.typeNamed(call.params['t'] ?? '');
  const schema = type && call.portal.schemas.get(type.id);
  return type && schema ? { type, schema } : refuse(notFound(`Object schema ${call.params['t']} does not exist`));
}

const showDefinition = (call: PortalCall, type: ObjectType, schema: CustomSchema): Record<string, unknown> => ({
  id: String(schema.number),
  objectTypeId: type.id,
  fullyQualifiedName: type.name,
  portalId: call.portal.portalId,
  name: schema.name,
  labels: schema.labels,
  ...(schema.description === undefined ? {} : { description: schema.description }),
  primaryDisplayProperty: schema.primaryDisplayProperty,
  secondaryDisplayProperties: schema.secondaryDisplayProperties,
  requiredProperties: schema.requiredProperties,
  searchableProperties: schema.searchableProperties,
  metaType: 'PORTAL_SPECIFIC',
  restorable: true,
  archived: schema.archived,
  createdAt: iso(schema.createdAt),
  updatedAt: iso(schema.updatedAt),
});

function associationsOf(call: PortalCall, type: ObjectType, schema: CustomSchema): Record<string, unknown>[] {
  const dates = { createdAt: iso(schema.createdAt), updatedAt: iso(schema.updatedAt) };
  return call.portal.associationTypes
    .involving(type.id)
    .map(({ typeId, from, to, name }) => ({ id: String(typeId), fromObjectTypeId: from, toObjectTypeId: to, name, ...dates }));
}

const show = (call: PortalCall, type: ObjectType, schema: CustomSchema): Record<string, unknown> => ({
  ...showDefinition(call, type, schema),
  properties: [...call.portal.space(type).definitions.properties.values()]
    .filter((one) => !one.archived)
    .map((one) => showProperty(call.portal, type, one)),
  associations: associationsOf(call, type, schema),
});

function list(call: PortalCall): Answer {
  const archived = boolParam(call.query, 'archived');
  return answer(200, {
    results: [...call.portal.schemas]
      .filter(([, schema]) => schema.archived === archived)
      .map(([id, schema]) => show(call, call.portal.typeById(id)!, schema)),
  });
}

function create(call: PortalCall): Answer {
  const body = jsonBody(call.rawBody, ['name', 'labels', 'requiredProperties', 'properties', 'associatedObjects']);
  const type = createSchema(call.portal, body);
  return answer(201, show(call, type, call.portal.schemas.get(type.id)!));
}

function read(call: PortalCall): Answer {
  const { type, schema } = find(call);
  return answer(200, show(call, type, schema));
}

function update(call: PortalCall): Answer {
  const { type, schema } = find(call);
  const body = jsonBody(call.rawBody);
  const names = (field: 'requiredProperties' | 'searchableProperties' | 'secondaryDisplayProperties'): readonly string[] =>
    body[field] === undefined ? schema[field] : stringList(body, field);
  const changed: CustomSchema = {
    ...schema,
    labels: body['labels'] === undefined ? schema.labels : readLabels(body['labels']),
    description: typeof body['description'] === 'string' ? body['description'] : schema.description,
    primaryDisplayProperty:
      typeof body['primaryDisplayProperty'] === 'string' ? body['primaryDisplayProperty'] : schema.primaryDisplayProperty,
    requiredProperties: names('requiredProperties'),
    searchableProperties: names('searchableProperties'),
    secondaryDisplayProperties: names('secondaryDisplayProperties'),
    archived: body['restorable'] === undefined ? schema.archived : false,
    updatedAt: call.portal.now(),
  };
  checkNamedProperties(call.portal, type, changed);
  call.portal.schemas.set(type.id, changed);
  const renewed = typeOfSchema(call.portal, changed);
  call.portal.putType(renewed);
  return answer(200, showDefinition(call, renewed, changed));
}

/** Archives; `archived=true` removes for good. Records must be gone first. */
function remove(call: PortalCall): Answer {
  const { type, schema } = find(call);
  const live = [...call.portal.space(type).store.records.values()].some((record) => !record.archived);
  if (live) refuse(invalid(`Object schema ${schema.name} still has records`, { subCategory: 'ObjectSchemaError.OBJECTS_EXIST' }));
  if (boolParam(call.query, 'archived')) {
    call.portal.schemas.delete(type.id);
    call.portal.removeType(type);
  } else {
    call.portal.schemas.set(type.id, { ...schema, archived: true, updatedAt: call.portal.now() });
  }
  return noContent;
}

function createAssociation(call: PortalCall): Answer {
  const { schema } = find(call);
  const body = jsonBody(call.rawBody, ['fromObjectTypeId', 'toObjectTypeId']);
  const side = (field: string): ObjectType =>
    call.portal.typeNamed(String(body[field])) ?? refuse(invalid(`Invalid object or event type id: ${String(body[field])}`));
  const from = side('fromObjectTypeId');
  const to = side('toObjectTypeId');
  const typeId = defineAssociation(call.portal, from, to, typeof body['name'] === 'string' ? body['name'] : undefined);
  const now = iso(call.portal.now());
  return answer(201, {
    id: String(typeId),
    fromObjectTypeId: from.id,
    toObjectTypeId: to.id,
    name: typeof body['name'] === 'string' ? body['name'] : `${schema.name}_to_${to.singular}`,
    createdAt: now,
    updatedAt: now,
  });
}

function removeAssociation(call: PortalCall): Answer {
  const { type } = find(call);
  const found =
    call.portal.associationTypes.involving(type.id).find((one) => String(one.typeId) === call.params['associationId']) ??
    refuse(notFound(`Association ${call.params['associationId']} does not exist`));
  call.portal.associations.forgetType(found);
  call.portal.associationTypes.remove(found);
  return noContent;
}

const base = { auth: 'portal', budget: 'burst' } as const;
const readScopes = (): string[][] => [['crm.schemas.custom.read'], ['crm.objects.custom.read']];
const writeScopes = (): string[][] => [['crm.schemas.custom.write']];

/** Custom object schemas (docs/reference/crm-api.md, Custom object schemas). */
export const schemaRoutes: readonly PortalRoute[] = [
  { ...base, method: 'GET', path: '/schemas', scopes: readScopes, handle: list },
  { ...base, method: 'POST', path: '/schemas', scopes: writeScopes, handle: create },
  { ...base, method: 'GET', path: '/schemas/:t', scopes: readScopes, handle: read },
  { ...base, method: 'PATCH', path: '/schemas/:t', scopes: writeScopes, handle: update },
  { ...base, method: 'DELETE', path: '/schemas/:t', scopes: writeScopes, handle: remove },
  { ...base, method: 'POST', path: '/schemas/:t/associations', scopes: writeScopes, handle: createAssociation },
  { ...base, method: 'DELETE', path: '/schemas/:t/associations/:associationId', scopes: writeScopes, handle: removeAssociation },
];
