import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { associationChecks, associationEnds } from '../shared/association-ends';
import { chunkSizeField, itemsField } from '../shared/bulk-fields';
import { companyEntity, contactEntity } from '../shared/order-examples';

const configSchema = {
  type: 'object',
  required: ['target', 'from_entity', 'from_external_id', 'to_entity', 'to_external_id', 'items'],
  properties: {
    ...associationEnds,
    from_external_id: { type: 'string', 'x-resolve': 'each', description: 'External id of the first record, read per element.' },
    items: { ...itemsField, description: 'A list: one pair of records per element.' },
    chunk_size: { ...chunkSizeField, description: 'Associations per call to the CRM.' },
  },
} as const satisfies StepFieldsSchema;

/** Associates many pairs of records (docs/reference/steps-and-actions.md, bulk actions). */
export const associateMany = describeAction(configSchema)({
  name: 'associate_many',
  title: 'Associate many',
  description: 'Associates one pair of records per element of a list; each element has an outcome of its own.',
  category: 'crm',
  min_version: '3.1',
  required_checks: [
    ...associationChecks('associate_many'),
    { fields: ['items'], message: 'associate_many requires items', mode: 'all', equals: null },
  ],
  limits: [{ id: 'chunk_size', text: 'At most 100 associations per call.' }],
  checks: [],
  examples: [
    {
      title: 'Contacts with their companies',
      config: {
        target: 'crm',
        items: '$.payload.people',
        from_entity: 'contact',
        from_external_id: '$._item.email',
        to_entity: 'company',
        to_external_id: '$._item.domain',
      },
      given: {
        entities: [contactEntity, companyEntity],
        payload: { people: [{ email: 'ada@example.com', domain: 'example.com' }] },
      },
    },
    {
      title: 'With an association type of the portal',
      config: {
        target: 'crm',
        items: '$.payload.people',
        from_entity: 'contact',
        from_external_id: '$._item.email',
        to_entity: 'company',
        to_external_id: '$.payload.domain',
        association_type_id: 12,
        association_category: 'USER_DEFINED',
      },
      given: { entities: [contactEntity, companyEntity], payload: { domain: 'example.com', people: [] } },
    },
  ],
});
