import type { RequiredCheck } from '../action-definition';

/** Fields that several actions share. Every field is described: the words are served by /api/config-surface. */
export const targetField = {
  type: 'string',
  minLength: 1,
  description: 'Where the step acts: `crm`.',
} as const;

export const entityField = {
  type: 'string',
  minLength: 1,
  description: 'Name of an entity of this config.',
} as const;

export const objectTypeField = {
  type: 'string',
  minLength: 1,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'CRM object type, in place of an entity.',
} as const;

export const propertiesField = {
  type: 'array',
  items: { type: 'string', minLength: 1 },
  default: [],
  description: 'Properties to read. The output has exactly these, null where the record has no value.',
} as const;

/** What `data` is to the actions that write the projection of an entity. */
export const unreadDataField = { description: 'Accepted and never read: the field_mappings say what is written.' } as const;

export const associationTypeId = {
  type: 'integer',
  minimum: 1,
  description: "Association type id; without it it is taken from the portal's definitions.",
} as const;

export const associationCategory = {
  type: 'string',
  enum: ['CRM_DEFINED', 'USER_DEFINED', 'INTEGRATOR_DEFINED'],
  description: 'Category of the association type id; without it it is read from the portal. Requires association_type_id.',
} as const;

/** What every write of an entity's record requires. */
export const targetAndEntity: RequiredCheck = {
  fields: ['target', 'entity'], message: 'step requires target and entity', mode: 'all', equals: null,
};
