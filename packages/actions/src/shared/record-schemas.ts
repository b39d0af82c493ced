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

export type AssociationCategory = (typeof associationCategory)['enum'][number];
