import type { RequiredProperty } from '@sluice/config-model';
import { propertyNameProblem } from './check-names';

/** Types of CRM properties and the field types that fit each (docs/reference/crm-api.md, Properties). */
const fieldTypes: Readonly<Record<string, readonly string[]>> = {
  string: ['text', 'textarea', 'html', 'phonenumber', 'file', 'calculation_equation'],
  number: ['number', 'calculation_equation'],
  date: ['date'],
  datetime: ['date'],
  enumeration: ['select', 'radio', 'checkbox', 'booleancheckbox', 'calculation_equation'],
  bool: ['booleancheckbox', 'calculation_equation'],
  phone_number: ['phonenumber'],
};

/** Why a property cannot be created; null when it can (docs/reference/portals-and-publishing.md, Provisioning). */
export function propertyProblem(property: RequiredProperty): string | null {
  const { name, type, field_type: fieldType, options } = property;
  const misnamed = propertyNameProblem(name);
  if (misnamed !== null) return misnamed;
  const allowed = fieldTypes[type];
  if (!allowed) return `property '${name}' has the unknown type '${type}'; known are ${Object.keys(fieldTypes).join(', ')}`;
  if (!allowed.includes(fieldType))
    return `property '${name}' of type '${type}' cannot have the field type '${fieldType}'; it can be ${allowed.join(', ')}`;
  if (type === 'enumeration' && options.length === 0) return `property '${name}' is an enumeration without options`;
  const repeated = repeatedIn(options.map(({ value }) => value)) ?? repeatedIn(options.map(({ value, label }) => label ?? value));
  return repeated === undefined ? null : `property '${name}' has two options with the value or the label '${repeated}'`;
}

const repeatedIn = (texts: readonly string[]): string | undefined => texts.find((text, index) => texts.indexOf(text) !== index);
