import type { CheckInput } from '../action-definition';
import type { FieldProblem } from '../compile-fields';
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
export function checkAssociations({ step }: CheckInput): FieldProblem[] {
  const { associations } = step;
  if (!Array.isArray(associations)) return [];
  return associations.flatMap((entry: unknown, index) => {
    if (entry === null || typeof entry !== 'object') return [];
    const { association_category: category, association_type_id: typeId } = entry as Record<string, unknown>;
    if (category === undefined || typeId !== undefined) return [];
    const path = ['associations', index, 'association_category'];
    return [
      {
        path,
        type: 'association_category_without_type_id',
        msg: 'association_category requires association_type_id',
        input: category,
      },
    ];
  });
}
