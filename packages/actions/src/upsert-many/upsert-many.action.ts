import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { bulkChecks, bulkFields, bulkLimits } from '../shared/bulk-fields';
import { checkFieldsAllowlist, fieldsField } from '../shared/fields-allowlist';
import { contactEntity } from '../shared/order-examples';

const configSchema = {
  type: 'object',
  required: ['target', 'entity', 'items'],
  properties: {
    ...bulkFields,
    fields: fieldsField,
  },
} as const satisfies StepFieldsSchema;

/** Upserts one record per element (docs/reference/steps-and-actions.md, bulk actions). */
export const upsertMany = describeAction(configSchema)({
  name: 'upsert_many',
  title: 'Upsert many',
  description: 'Upserts one record per element of a list; each element has an outcome of its own.',
  category: 'crm',
  min_version: '3.1',
  required_checks: bulkChecks('upsert_many'),
  limits: bulkLimits,
  checks: [checkFieldsAllowlist({ identityRequired: true, schema: 'crm' })],
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
