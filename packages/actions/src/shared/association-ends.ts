import type { RequiredCheck } from '../action-definition';
import { associationCategory, associationTypeId, entityField, targetField } from './record-schemas';

/** The fields that name the two ends of an association and its type. */
export const associationEnds = {
  target: targetField,
  from_entity: { ...entityField, description: 'Entity of the record the association starts at.' },
  from_external_id: { type: 'string', 'x-resolve': 'reference', description: 'External id of that record.' },
  to_entity: { ...entityField, description: 'Entity of the record or records it leads to.' },
  to_external_id: {
    type: 'string',
    'x-resolve': 'each',
    description: 'External id of the other record; with items it is read per element, as $._item.',
  },
  association_type_id: associationTypeId,
  association_category: associationCategory,
} as const;

/** What every association requires. */
export const associationChecks = (action: string): RequiredCheck[] => [
  { fields: ['target'], message: `${action} requires target 'crm'`, mode: 'equals', equals: 'crm' },
  {
    fields: ['from_entity', 'to_entity', 'from_external_id', 'to_external_id'],
    message: 'step requires from_entity, to_entity, from_external_id and to_external_id',
    mode: 'all',
    equals: null,
  },
  {
    fields: ['association_category', 'association_type_id'],
    message: 'association_category requires association_type_id',
    mode: 'requires',
    equals: null,
  },
];
