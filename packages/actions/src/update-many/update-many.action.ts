import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { adaRecord, bobRecord, bothCustomers, succeeded, twoCustomers } from '../shared/bulk-examples';
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

/** Updates one record per element (docs/reference/steps-and-actions.md, bulk actions). */
export const updateMany = defineAction(configSchema)({
  name: 'update_many',
  title: 'Update many',
  description: 'Updates one record per element of a list; each element has an outcome of its own.',
  category: 'crm',
  min_version: '3.1',
  effect: 'write',
  uses: ['crm'],
  on_repeat: 'Writes the same values to the same records and never makes one; elements that ended are not written again.',
  repeat: 'again',
  required_checks: bulkChecks('update_many'),
  limits: bulkLimits,
  rules: [],
  examples: [
    {
      title: 'All customers of a file',
      config: { target: 'crm', entity: 'contact', items: '$.payload.customers' },
      given: { entities: [contactEntity], payload: { customers: twoCustomers }, records: [adaRecord, bobRecord] },
      expect: {
        kind: 'done',
        output: { ...bothCustomers, results: [succeeded('ada@example.com', '501'), succeeded('bob@example.com', '502')] },
      },
    },
    {
      title: 'In small calls; a customer that the CRM does not have is skipped',
      config: { target: 'crm', entity: 'contact', items: '$.payload.orders[*].customer', chunk_size: 10 },
      given: { entities: [contactEntity], payload: { orders: [{ customer: { email: 'ada@example.com' } }] } },
      expect: {
        kind: 'done',
        output: {
          total: 1,
          succeeded: 0,
          failed: 0,
          skipped: 1,
          results: [
            { external_id: 'ada@example.com', crm_id: null, status: 'skipped', error: null, reason: 'record_not_found' },
          ],
        },
      },
    },
  ],
  touches: ({ config, entities, ctx }) => touchesOfBulk(config, entities, ctx),
  run: ({ config, entities, ctx, before, ports: { crm } }) =>
    bulkWrite({ action: 'update_many', config, entities, ctx, ended: before?.items, write: (record) => crm.update(record) }),
});
