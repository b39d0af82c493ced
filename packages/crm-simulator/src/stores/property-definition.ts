/** One option of an enumeration or bool property. */
export interface PropertyOption {
  readonly label: string;
  readonly value: string;
  readonly displayOrder: number;
  readonly hidden: boolean;
  readonly description?: string;
}

/** How a value is checked beyond its type. */
export type ValueRule = 'email' | 'owner' | 'pipeline' | 'stage' | 'lifecycle';

/** A property definition of a portal (docs/reference/crm-api.md, Properties). Times are epoch ms. */
export interface PropertyDefinition {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly fieldType: string;
  readonly groupName: string;
  readonly description: string;
  readonly displayOrder: number;
  readonly options: readonly PropertyOption[];
  readonly hasUniqueValue: boolean;
  readonly hidden: boolean;
  readonly formField: boolean;
  readonly externalOptions: boolean;
  readonly referencedObjectType?: string;
  readonly calculationFormula?: string;
  readonly dataSensitivity: string;
  readonly calculated: boolean;
  readonly hubspotDefined: boolean;
  readonly readOnlyValue: boolean;
  readonly rule?: ValueRule;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly archived: boolean;
  readonly archivedAt?: number;
}

/** Which field types go with which type (docs/reference/crm-api.md, Properties). */
export const coherentFieldTypes: Readonly<Record<string, readonly string[]>> = {
  string: ['text', 'textarea', 'html', 'phonenumber', 'file', 'calculation_equation'],
  number: ['number', 'calculation_equation'],
  date: ['date'],
  datetime: ['date'],
  enumeration: ['select', 'radio', 'checkbox', 'booleancheckbox', 'calculation_equation'],
  bool: ['booleancheckbox', 'calculation_equation'],
  phone_number: ['phonenumber', 'text'],
};

/** A definition with every field that was not given at its usual value. */
export function propertyDefinition(
  given: Partial<PropertyDefinition> & Pick<PropertyDefinition, 'name' | 'type' | 'fieldType' | 'groupName' | 'createdAt'>,
): PropertyDefinition {
  return {
    label: given.name,
    description: '',
    displayOrder: -1,
    options: [],
    hasUniqueValue: false,
    hidden: false,
    formField: false,
    externalOptions: false,
    dataSensitivity: 'non_sensitive',
    calculated: false,
    hubspotDefined: false,
    readOnlyValue: false,
    updatedAt: given.createdAt,
    archived: false,
    ...given,
  };
}

/** The wire form of a definition. */
export function presentProperty(definition: PropertyDefinition): Record<string, unknown> {
  const { rule: _rule, readOnlyValue, createdAt, updatedAt, archivedAt, ...rest } = definition;
  return {
    ...rest,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    ...(archivedAt === undefined ? {} : { archivedAt: new Date(archivedAt).toISOString() }),
    modificationMetadata: {
      archivable: !definition.hubspotDefined,
      readOnlyDefinition: definition.hubspotDefined,
      readOnlyValue,
      ...(definition.type === 'enumeration'
        ? { readOnlyOptions: definition.externalOptions || definition.rule === 'stage' || definition.rule === 'pipeline' }
        : {}),
    },
  };
}
