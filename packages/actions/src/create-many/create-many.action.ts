import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { bulkChecks, bulkFields, bulkLimits } from '../shared/bulk-fields';
import { contactEntity } from '../shared/order-examples';

const configSchema = {
  type: 'object',
  required: ['target', 'entity', 'items'],
  properties: {
    ...bulkFields,
  },
} as const satisfies StepFieldsSchema;

/** Creates one record per element (docs/reference/steps-and-actions.md, bulk actions). */
export const createMany = describeAction(configSchema)({
  name: 'create_many',
  title: 'Create many',
  description: 'Creates one record per element of a list; each element has an outcome of its own.',
  category: 'crm',
  min_version: '3.1',
  required_checks: bulkChecks('create_many'),
  limits: bulkLimits,
  checks: [],
  examples: [
    {
      title: 'All customers of a file',
      config: { target: 'crm', entity: 'contact', items: '$.payload.customers' },
      given: {
        entities: [contactEntity],
        payload: { customers: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }] },
      },
    },
    {
      title: 'In small calls',
      config: { target: 'crm', entity: 'contact', items: '$.payload.orders[*].customer', chunk_size: 10 },
      given: { entities: [contactEntity], payload: { orders: [{ customer: { email: 'ada@example.com' } }] } },
    },
  ],
});
