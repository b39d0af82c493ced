import { invalid, notFound } from '../http/refusal';
import { type Problem } from '../state/problem';
import type { JsonObject } from '../http/request-body';
import type { ObjectType } from '../model/object-types';
import type { PortalState } from '../state/portal-state';
import type { PropertyDefinition } from '../stores/property-definition';
import { incoherent, readNewProperty, readOptions, type ReadProperty } from './read-property';

/**
 * Creates a property; the name of an archived one restores it with its old creation time (docs/reference/crm-api.md, Properties).
 */
export function createProperty(portal: PortalState, type: ObjectType, body: JsonObject, contactsAllowed: boolean): ReadProperty {
  const { definitions, store } = portal.space(type);
  const existing = definitions.properties.get(String(body['name']));
  if (existing && !existing.archived) {
    return {
      problem: {
        status: 409,
        category: 'OBJECT_ALREADY_EXISTS',
        subCategory: 'Properties.PROPERTY_WITH_NAME_EXISTS',
        message: `A property named '${existing.name}' already exists.`,
        context: { name: [existing.name] },
      },
    };
  }
  const read = readNewProperty(portal, type, body, contactsAllowed);
  if ('problem' in read) return read;
  const definition = existing ? { ...read.definition, createdAt: existing.createdAt } : read.definition;
  definitions.properties.set(definition.name, definition);
  if (definition.hasUniqueValue) store.addUnique(definition.name);
  return { definition };
}

/** Changes what may change; `options` replaces the whole list. */
export function updateProperty(
  portal: PortalState,
  definition: PropertyDefinition,
  type: ObjectType,
  body: JsonObject,
): ReadProperty {
  if (definition.hubspotDefined && ['type', 'fieldType', 'groupName', 'label'].some((field) => field in body))
    return { problem: invalid(`Property ${definition.name} is defined by the CRM; its definition cannot be changed`) };
  const { definitions } = portal.space(type);
  const text = (field: 'label' | 'description' | 'type' | 'fieldType' | 'groupName'): string =>
    typeof body[field] === 'string' ? body[field] : definition[field];
  const wrong = incoherent(text('type'), text('fieldType'));
  if (wrong) return { problem: wrong };
  if (!definitions.groups.has(text('groupName')))
    return { problem: invalid(`Property group ${text('groupName')} does not exist`) };
  const read = body['options'] === undefined ? { options: [...definition.options] } : readOptions(body['options']);
  if ('problem' in read) return read;
  const changed: PropertyDefinition = {
    ...definition,
    label: text('label'),
    description: text('description'),
    type: text('type'),
    fieldType: text('fieldType'),
    groupName: text('groupName'),
    options: read.options,
    displayOrder: typeof body['displayOrder'] === 'number' ? body['displayOrder'] : definition.displayOrder,
    hidden: typeof body['hidden'] === 'boolean' ? body['hidden'] : definition.hidden,
    formField: typeof body['formField'] === 'boolean' ? body['formField'] : definition.formField,
    updatedAt: portal.now(),
  };
  definitions.properties.set(changed.name, changed);
  return { definition: changed };
}

/** Archives a custom property; its values stay stored but unseen. */
export function archiveProperty(portal: PortalState, type: ObjectType, name: string): Problem | undefined {
  const { definitions, store } = portal.space(type);
  const definition = definitions.properties.get(name);
  if (!definition || definition.archived) return notFound(`Property '${name}' does not exist`);
  if (definition.hubspotDefined)
    return invalid(`Property ${name} is defined by the CRM and cannot be archived`, {
      subCategory: 'PropertyValidationError.CANNOT_DELETE_HUBSPOT_DEFINED',
    });
  const schema = portal.schemas.get(type.id);
  if (schema && (schema.primaryDisplayProperty === name || schema.requiredProperties.includes(name))) {
    return invalid(`Property ${name} is in use by the schema ${schema.name}`, {
      subCategory: 'PropertyValidationError.CANNOT_DELETE_PROPERTY_IN_USE',
    });
  }
  definitions.properties.set(name, { ...definition, archived: true, archivedAt: portal.now() });
  store.dropUnique(name);
  return undefined;
}
