import type { ConfigDocument, CrmOption, Entity, FieldMapping, Pipeline, SchemaSpec } from '@sluice/contracts';

/** A property the portal must have. */
export interface RequiredProperty {
  name: string;
  type: string;
  field_type: string;
  label: string;
  options: CrmOption[];
  /** Whether this is the identity property, which is created as unique where its type allows. */
  identity: boolean;
}

export interface RequiredEntity {
  entity: string;
  object_type: string;
  /** `p<portalId>_<name>`: its schema is created when missing. */
  custom_object: boolean;
  /** Group of the schema; null: the connector's own group. */
  property_group: string | null;
  properties: RequiredProperty[];
}

export interface RequiredProvisioning {
  entities: RequiredEntity[];
  pipelines: Pipeline[];
}

/** Properties with this prefix belong to the CRM and are never created (docs/reference/crm-api.md, Properties). */
export const reservedPropertyPrefix = 'hs_';

/** What a publish creates on the portal if missing: derived properties, custom objects and pipelines. */
export function requiredProvisioning(config: ConfigDocument): RequiredProvisioning {
  return { entities: config.entities.flatMap(requiredEntity), pipelines: config.pipelines ?? [] };
}

function requiredEntity(entity: Entity): RequiredEntity[] {
  const schema = entity.schemas.crm;
  if (schema?.object_type === undefined) return [];
  return [
    {
      entity: entity.name,
      object_type: schema.object_type,
      custom_object: /^p\d+_/.test(schema.object_type),
      property_group: schema.property_group ?? null,
      properties: propertiesOf(schema),
    },
  ];
}

function propertiesOf(schema: SchemaSpec): RequiredProperty[] {
  const identity = schema.identity?.property;
  const byName = new Map<string, RequiredProperty>();
  const add = (name: string, mapping: Partial<FieldMapping>): void => {
    if (name.startsWith('$') || name.startsWith(reservedPropertyPrefix) || byName.has(name)) return;
    byName.set(name, property(name, mapping, name === identity));
  };
  for (const mapping of schema.field_mappings ?? []) {
    const names = mapping.target === undefined ? (mapping.provision_names ?? []) : [mapping.target];
    names.forEach((name) => add(name, mapping));
  }
  if (identity !== undefined) add(identity, {});
  return [...byName.values()];
}

function property(name: string, mapping: Partial<FieldMapping>, identity: boolean): RequiredProperty {
  // A label of one mapping would be the same for every name of its template.
  const label = mapping.target === undefined ? undefined : mapping.crm_label;
  const type = mapping.crm_type ?? 'string';
  return {
    name,
    type,
    field_type: mapping.crm_field_type ?? usualFieldType[type] ?? 'text',
    label: label ?? labelOf(name),
    options: (mapping.crm_options ?? []).map(({ value, label: text }) => ({ value, label: text ?? value })),
    identity,
  };
}

/** Field type of a mapping that names only a type other than text; the CRM refuses `text` for these. */
const usualFieldType: Readonly<Record<string, string>> = {
  number: 'number',
  date: 'date',
  datetime: 'date',
  enumeration: 'select',
  bool: 'booleancheckbox',
  phone_number: 'phonenumber',
};

/** `order_total` reads `Order total`. */
function labelOf(name: string): string {
  const words = name
    .split(/[_\s]+/)
    .filter((word) => word !== '')
    .join(' ');
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1);
}
