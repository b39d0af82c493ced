import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { contactEntity } from '../shared/order-examples';
import { entityField, objectTypeField, targetField } from '../shared/record-schemas';

const configSchema = {
  type: 'object',
  required: ['target', 'object_id', 'data'],
  properties: {
    target: targetField,
    entity: { ...entityField, description: 'Entity whose object type the record has.' },
    object_type: objectTypeField,
    object_id: { type: 'string', 'x-resolve': 'reference', description: 'CRM id of the record.' },
    data: {
      type: 'object',
      minProperties: 1,
      'x-resolve': 'template',
      description: 'Property to value; values may hold references.',
    },
    mapped_properties_only: {
      type: 'boolean',
      default: false,
      description: "Write only properties that the entity's crm schema maps. Requires entity.",
    },
  },
} as const satisfies StepFieldsSchema;

/** Updates a record whose CRM id is known (docs/reference/steps-and-actions.md, update_by_id). */
export const updateById = describeAction(configSchema)({
  name: 'update_by_id',
  title: 'Update by id',
  description: 'Writes properties to the CRM record of an id, without a search.',
  category: 'crm',
  min_version: '3.0',
  required_checks: [
    { fields: ['target'], message: "update_by_id requires target 'crm'", mode: 'equals', equals: 'crm' },
    { fields: ['entity', 'object_type'], message: 'update_by_id requires entity or object_type', mode: 'any', equals: null },
    { fields: ['object_id', 'data'], message: 'update_by_id requires object_id and data', mode: 'all', equals: null },
    {
      fields: ['mapped_properties_only', 'entity'],
      message: 'mapped_properties_only requires entity',
      mode: 'requires',
      equals: null,
    },
  ],
  limits: [],
  checks: [],
  examples: [
    {
      title: 'The contact that a find step found',
      config: { target: 'crm', entity: 'contact', object_id: '$find.crm_id', data: { firstname: '$.payload.first_name' } },
      given: { entities: [contactEntity], payload: { first_name: 'Ada' }, outputs: { find: { found: true, crm_id: '501' } } },
    },
    {
      title: 'A text made of the event',
      config: {
        target: 'crm',
        object_type: 'contacts',
        object_id: '$.payload.contact_id',
        data: { last_order: 'order {$.payload.id}' },
      },
      given: { entities: [], payload: { contact_id: '501', id: 17 } },
    },
  ],
});
