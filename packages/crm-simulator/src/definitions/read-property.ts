import { invalid } from '../http/refusal';
import { type Problem } from '../state/problem';
import { isObject, type JsonObject } from '../http/request-body';
import type { ObjectType } from '../model/object-types';
import type { PortalState } from '../state/portal-state';
import { coherentFieldTypes, propertyDefinition, type PropertyDefinition,
  type PropertyOption } from '../stores/property-definition';
import { boolOptions } from '../stores/standard-properties';

export type ReadProperty = { readonly definition: PropertyDefinition } | { readonly problem: Problem };

/**
 * Unique properties a type may have besides the CRM's own, and custom properties in all (docs/reference/crm-api.md, Properties).
 */
const maxUnique = 10;
const maxCustom = 1_000;
const maxName = 100;
const sensitivities = ['non_sensitive', 'sensitive', 'highly_sensitive'];
/** Types whose custom properties cannot be unique. */
const withoutUnique = new Set(['0-7', '0-19', '0-54']);

const missing = (names: readonly string[]): { problem: Problem } => ({
  problem: invalid(`Invalid input JSON on line 1, column 2. Some required fields were not set: [${names.join(', ')}]`),
});

/** Options of an enumeration: texts with distinct labels and values. */
export function readOptions(given: unknown): { options: PropertyOption[] } | { problem: Problem } {
  if (given === undefined || given === null) return { options: [] };
  if (!Array.isArray(given)) return { problem: invalid('Invalid input JSON on line 1, column 2: options must be a list') };
  const options: PropertyOption[] = [];
  for (const [i, entry] of (given as unknown[]).entries()) {
    const { label, value, displayOrder, hidden, description } = isObject(entry) ? entry : ({} as JsonObject);
    if (typeof label !== 'string' || typeof value !== 'string' || value === '') return missing(['label', 'value']);
    options.push({
      label,
      value,
      displayOrder: typeof displayOrder === 'number' ? displayOrder : i,
      hidden: hidden === true,
      ...(typeof description === 'string' ? { description } : {}),
    });
  }
  const twice = (list: readonly string[]): string | undefined => list.find((one, i) => list.indexOf(one) !== i);
  const repeated = twice(options.map((option) => option.value)) ?? twice(options.map((option) => option.label));
  if (repeated !== undefined)
    return {
      problem: invalid(`Property option labels and values must be unique; ${repeated} is there twice`, {
        subCategory: 'PropertyValidationError.DUPLICATE_OPTION',
      }),
    };
  return { options };
}

/** Type and field type must go together. */
export function incoherent(type: string, fieldType: string): Problem | undefined {
  const allowed = coherentFieldTypes[type];
  if (!allowed) return invalid(`Invalid input JSON on line 1, column 2: ${type} is not a valid property type`);
  return allowed.includes(fieldType)
    ? undefined
    : invalid(`Field type ${fieldType} is not valid for a property of type ${type}. Valid: [${allowed.join(', ')}]`);
}

function uniqueProblem(portal: PortalState, type: ObjectType, contactsAllowed: boolean): Problem | undefined {
  if (type.id === '0-1' && !contactsAllowed)
    return invalid('Cannot set hasUniqueValue on contact properties', {
      subCategory: 'Properties.CANNOT_SET_CONTACT_HAS_UNIQUE_VALUE',
    });
  if (withoutUnique.has(type.id)) return invalid(`Unique properties are not supported for ${type.legacyName}`);
  const { definitions } = portal.space(type);
  const count = [...definitions.properties.values()].filter(
    (one) => one.hasUniqueValue && !one.hubspotDefined && !one.archived,
  ).length;
  return count < maxUnique ? undefined : invalid(`At most ${maxUnique} unique properties are allowed for ${type.legacyName}`);
}

const words = (body: JsonObject, name: string): string | undefined => (typeof body[name] === 'string' ? body[name] : undefined);

/**
 * Checks the body of a property's creation (docs/reference/crm-api.md, Properties). The group must exist; name clashes are the
 * caller's.
 */
export function readNewProperty(portal: PortalState, type: ObjectType, body: JsonObject, contactsAllowed: boolean): ReadProperty {
  const absent = ['name', 'label', 'type', 'fieldType', 'groupName'].filter((field) => words(body, field) === undefined);
  if (absent.length > 0) return missing(absent);
  const name = words(body, 'name')!;
  const propertyType = words(body, 'type')!;
  const fieldType = words(body, 'fieldType')!;
  const groupName = words(body, 'groupName')!;
  if (!/^[a-z][a-z0-9_]*$/.test(name) || name.length > maxName) return {
    problem: invalid(
      `Property name ${name} is not valid: it must start with a letter and hold only lower-case letters, digits and underscores`,
    ),
  };
  if (name.startsWith('hs_')) return { problem: invalid(`Property name ${name} is not valid: the prefix hs_ is reserved`) };
  const wrong = incoherent(propertyType, fieldType);
  if (wrong) return { problem: wrong };
  const { definitions } = portal.space(type);
  if (!definitions.groups.has(groupName))
    return {
      problem: invalid(`Property group ${groupName} does not exist`, {
        subCategory: 'PropertyValidationError.GROUP_DOES_NOT_EXIST',
      }),
    };
  const read = readOptions(body['options']);
  if ('problem' in read) return read;
  const unique = body['hasUniqueValue'] === true ? uniqueProblem(portal, type, contactsAllowed) : undefined;
  if (unique) return { problem: unique };
  if ([...definitions.properties.values()].filter((one) => !one.hubspotDefined && !one.archived).length >= maxCustom)
    return { problem: invalid(`The limit of ${maxCustom} custom properties is reached`) };
  const sensitivity = words(body, 'dataSensitivity') ?? 'non_sensitive';
  if (!sensitivities.includes(sensitivity))
    return { problem: invalid(`Invalid input JSON on line 1, column 2: ${sensitivity} is not a valid dataSensitivity`) };
  return { definition: propertyDefinition({
    name, label: words(body, 'label'), type: propertyType, fieldType, groupName, createdAt: portal.now(),
    description: words(body, 'description') ?? '',
    displayOrder: typeof body['displayOrder'] === 'number' ? body['displayOrder'] : -1,
    options: propertyType === 'bool' && read.options.length === 0 ? boolOptions : read.options,
    hasUniqueValue: body['hasUniqueValue'] === true,
    hidden: body['hidden'] === true,
    formField: body['formField'] === true,
    externalOptions: body['externalOptions'] === true,
    referencedObjectType: words(body, 'referencedObjectType'),
    rule: body['referencedObjectType'] === 'OWNER' ? 'owner' : undefined,
    calculationFormula: words(body, 'calculationFormula'),
    calculated: words(body, 'calculationFormula') !== undefined,
    readOnlyValue: words(body, 'calculationFormula') !== undefined,
    dataSensitivity: sensitivity,
  }) };
}
