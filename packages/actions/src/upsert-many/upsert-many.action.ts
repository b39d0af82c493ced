import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { bothCustomers, succeeded, twoCustomers } from '../shared/bulk-examples';
import { bulkChecks, bulkFields, bulkLimits } from '../shared/bulk-fields';
import { bulkWrite, touchesOfBulk } from '../shared/bulk-write';
import { fieldsAllowlist, fieldsField } from '../shared/fields-allowlist';
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
export const upsertMany = defineAction(configSchema)({
  name: 'upsert_many',
  title: 'Upsert many',
  description: 'Upserts one record per element of a list; each element has an outcome of its own.',
  category: 'crm',
  min_version: '3.1',
  effect: 'write',
  uses: ['crm'],
  on_repeat: 'Finds each record it wrote by its mapping or identity; within an event elements that ended are not written again.',
  repeat: 'again',
  required_checks: bulkChecks('upsert_many'),
  limits: bulkLimits,
  rules: [fieldsAllowlist({ identityRequired: true, schema: 'crm' })],
  examples: [
    {
      title: 'All customers of a file',
      config: { target: 'crm', entity: 'contact', items: '$.payload.customers' },
      given: { entities: [contactEntity], payload: { customers: twoCustomers } },
      expect: {
        kind: 'done',
        output: { ...bothCustomers, results: [succeeded('ada@example.com', '101'), succeeded('bob@example.com', '102')] },
      },
    },
    {
      title: 'In small calls; an element without identity fails alone',
      config: { target: 'crm', entity: 'contact', items: '$.payload.orders[*].customer', chunk_size: 10 },
      given: { entities: [contactEntity], payload: { orders: [{ customer: { email: 'ada@example.com' } }, { customer: {} }] } },
      expect: { kind: 'done', output: { total: 2, succeeded: 1, failed: 1, skipped: 0 } },
    },
    {
      title: 'An empty list',
      config: { target: 'crm', entity: 'contact', items: '$.payload.customers' },
      given: { entities: [contactEntity], payload: { customers: [] } },
      expect: { kind: 'done', output: { total: 0, succeeded: 0, failed: 0, skipped: 0, results: [], reason: 'no_items' } },
    },
  ],
  touches: ({ config, entities, ctx }) => touchesOfBulk(config, entities, ctx),
  run: ({ config, entities, ctx, before, ports: { crm } }) =>
    bulkWrite({ action: 'upsert_many', config, entities, ctx, ended: before?.items, write: (record) => crm.upsert(record) }),
});
