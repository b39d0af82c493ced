import type { RequiredCheck } from '../action-definition';
import { associationCategory, associationTypeId, entityField } from './record-schemas';

/** `associations` of upsert, create and update (docs/reference/steps-and-actions.md, upsert). */
export const associationsField = {
  type: 'array',
  description: 'Associations of the written record: to_entity, to_external_id and optionally the association type.',
  items: {
    type: 'object',
    required: ['to_entity', 'to_external_id'],
    additionalProperties: false,
    properties: {
      to_entity: { ...entityField, description: 'Entity of the other record.' },
      to_external_id: { type: 'string', 'x-resolve': 'reference', description: 'External id of the other record.' },
      association_type_id: associationTypeId,
      association_category: associationCategory,
    },
  },
} as const;

/** A category says nothing without its type id. */
export const associationsCheck: RequiredCheck = {
  fields: ['associations[].association_category', 'associations[].association_type_id'],
  message: 'association_category requires association_type_id', mode: 'requires', equals: null,
  type: 'association_category_without_type_id',
};
