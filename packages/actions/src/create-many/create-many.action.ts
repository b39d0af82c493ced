import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { adaRecord, bothCustomers, succeeded, twoCustomers } from '../shared/bulk-examples';
import { bulkChecks, bulkFields, bulkLimits } from '../shared/bulk-fields';
import { bulkWrite, touchesOfBulk } from '../shared/bulk-write';
import { contactEntity } from '../shared/order-examples';

const configSchema = {
  type: 'object',
  required: ['target', 'entity', 'items'],
  properties: {
    ...bulkFields,
  },
} as const satisfies StepFieldsSchema;

/** Creates one record per element (docs/reference/steps-and-actions.md, bulk actions). */
export const createMany = defineAction(configSchema)({
  name: 'create_many',
  title: 'Create many',
  description: 'Creates one record per element of a list; each element has an outcome of its own.',
  category: 'crm',
  min_version: '3.1',
  effect: 'write',
  uses: ['crm'],
  on_repeat: 'Finds the mapping, or the record that its own earlier attempt made, of each element: never makes a second one.',
  repeat: 'again',
  required_checks: bulkChecks('create_many'),
  limits: bulkLimits,
  rules: [],
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
      title: 'In small calls; a contact that the CRM has already is left as it is',
      config: { target: 'crm', entity: 'contact', items: '$.payload.orders[*].customer', chunk_size: 10 },
      given: {
        entities: [contactEntity],
        payload: { orders: [{ customer: { email: 'ada@example.com' } }] },
        records: [adaRecord],
      },
      expect: {
        kind: 'done',
        output: {
          total: 1,
          succeeded: 0,
          failed: 0,
          skipped: 1,
          results: [{ external_id: 'ada@example.com', crm_id: '501', status: 'skipped', error: null, reason: 'already_exists' }],
        },
      },
    },
  ],
  touches: ({ config, entities, ctx }) => touchesOfBulk(config, entities, ctx),
  run: ({ config, entities, ctx, before, ports: { crm } }) =>
    bulkWrite({ action: 'create_many', config, entities, ctx, ended: before?.items, write: (record) => crm.create(record) }),
});
