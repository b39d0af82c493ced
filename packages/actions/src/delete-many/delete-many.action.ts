import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { bulkChecks, bulkFields, bulkLimits } from '../shared/bulk-fields';
import { contactEntity } from '../shared/order-examples';

const configSchema = {
  type: 'object',
  required: ['target', 'entity', 'items', 'external_id'],
  properties: {
    ...bulkFields,
    external_id: { type: 'string', 'x-resolve': 'each', description: 'External id of the record, read per element as $._item.' },
  },
} as const satisfies StepFieldsSchema;

/** Deletes one record per element (docs/reference/steps-and-actions.md, bulk actions). */
export const deleteMany = describeAction(configSchema)({
  name: 'delete_many',
  title: 'Delete many',
  description: 'Deletes one CRM record per element of a list; each element has an outcome of its own.',
  category: 'crm',
  min_version: '3.1',
  required_checks: [
    ...bulkChecks('delete_many'),
    { fields: ['external_id'], message: 'delete_many requires external_id', mode: 'all', equals: null },
  ],
  limits: bulkLimits,
  checks: [],
  examples: [
    {
      title: 'All customers of a file',
      config: { target: 'crm', entity: 'contact', items: '$.payload.customers', external_id: '$._item.email' },
      given: {
        entities: [contactEntity],
        payload: { customers: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }] },
      },
    },
    {
      title: 'In small calls',
      config: {
        target: 'crm',
        entity: 'contact',
        items: '$.payload.orders[*].customer',
        chunk_size: 10,
        external_id: '$._item.email',
      },
      given: { entities: [contactEntity], payload: { orders: [{ customer: { email: 'ada@example.com' } }] } },
    },
  ],
});
