import { createProperty } from '../definitions/change-property';
import { invalid, refuse, Refusal } from '../http/refusal';
import { isObject, stringList, type JsonObject } from '../http/request-body';
import { customType, standardTypes, type ObjectType } from '../model/object-types';
import type { CustomSchema, PortalState } from '../state/portal-state';

/** Activities that every custom type can be associated with from the start. */
const alwaysAssociated = ['0-46', '0-27', '0-48', '0-49', '0-47'];
const maxSchemas = 10;
const maxSearchable = 20;

/** The portal's object type for a schema. */
export const typeOfSchema = (portal: PortalState, schema: CustomSchema): ObjectType =>
  customType({ portalId: portal.portalId, ...schema });

/** Labels need both forms. */
export function readLabels(given: unknown): Record<string, string> {
  if (!isObject(given) || typeof given['singular'] !== 'string' || typeof given['plural'] !== 'string')
    return refuse(invalid('Invalid input JSON on line 1, column 2. Some required fields were not set: [labels]'));
  return { singular: given['singular'], plural: given['plural'] };
}

function associatedType(portal: PortalState, name: string): ObjectType {
  return (
    standardTypes.find((type) => type.legacyName === name) ??
    portal.typeNamed(name) ??
    refuse(invalid(`Unknown associated object: ${name}`))
  );
}

/** Both directions between two types; the first pair between them is unlabelled, later ones carry their name as label. */
export function defineAssociation(portal: PortalState, from: ObjectType, to: ObjectType, name?: string): number {
  const first = portal.associationTypes.defaultOf(from.id, to.id) === undefined;
  const made = portal.associationTypes.define({
    from: from.id,
    to: to.id,
    label: first ? null : (name ?? null),
    name: name ?? `${from.singular}_to_${to.singular}`,
    inverseName: name ?? `${to.singular}_to_${from.singular}`,
    isDefault: first,
  });
  return made[0]!.typeId;
}

function addProperties(portal: PortalState, type: ObjectType, given: readonly JsonObject[]): void {
  for (const entry of given) {
    const made = createProperty(
      portal,
      type,
      { type: 'string', fieldType: 'text', groupName: type.defaultGroup, ...entry },
      true,
    );
    if ('problem' in made) throw new Refusal(made.problem);
  }
}

/**
 * Creates a custom schema with its properties and associations (docs/reference/crm-api.md, Custom object schemas). Nothing is
 * left behind when refused.
 */
export function createSchema(portal: PortalState, body: JsonObject): ObjectType {
  const name = String(body['name']);
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name))
    refuse(
      invalid(`Schema name ${name} is not valid: it must start with a letter and hold only letters, digits and underscores`),
    );
  const taken = [...portal.schemas.values()].some((schema) => schema.name.toLowerCase() === name.toLowerCase());
  if (taken) refuse({ status: 409, category: 'OBJECT_ALREADY_EXISTS', message: `An object schema named ${name} already exists` });
  if (portal.schemas.size >= maxSchemas) refuse(invalid(`The limit of ${maxSchemas} custom objects is reached`));
  const properties = body['properties'];
  if (!Array.isArray(properties) || !properties.every(isObject))
    return refuse(invalid('Invalid input JSON on line 1, column 2. Some required fields were not set: [properties]'));
  const targets = stringList(body, 'associatedObjects').map((one) => associatedType(portal, one));
  const now = portal.now();
  const schema: CustomSchema = {
    number: portal.allocateNumber(),
    name,
    labels: readLabels(body['labels']),
    description: typeof body['description'] === 'string' ? body['description'] : undefined,
    primaryDisplayProperty: typeof body['primaryDisplayProperty'] === 'string' ? body['primaryDisplayProperty'] : undefined,
    secondaryDisplayProperties: stringList(body, 'secondaryDisplayProperties'),
    requiredProperties: stringList(body, 'requiredProperties'),
    searchableProperties: stringList(body, 'searchableProperties'),
    createdAt: now,
    updatedAt: now,
    archived: false,
  };
  const type = typeOfSchema(portal, schema);
  portal.putType(type);
  try {
    addProperties(portal, type, properties);
    checkNamedProperties(portal, type, schema);
  } catch (error) {
    portal.removeType(type);
    throw error;
  }
  portal.schemas.set(type.id, schema);
  const also = alwaysAssociated.map((id) => standardTypes.find((one) => one.id === id)!);
  for (const target of new Set([...targets, ...also])) defineAssociation(portal, type, target);
  return type;
}

/** Properties that a schema names must exist. */
export function checkNamedProperties(portal: PortalState, type: ObjectType, schema: CustomSchema): void {
  const named = [
    ...schema.requiredProperties,
    ...schema.searchableProperties,
    ...schema.secondaryDisplayProperties,
    ...(schema.primaryDisplayProperty ? [schema.primaryDisplayProperty] : []),
  ];
  const { definitions } = portal.space(type);
  const unknown = named.find((property) => !definitions.properties.has(property));
  if (unknown !== undefined) refuse(invalid(`Property ${unknown} does not exist on the schema ${schema.name}`));
  if (schema.searchableProperties.length > maxSearchable)
    refuse(invalid(`At most ${maxSearchable} searchable properties are allowed`));
}
