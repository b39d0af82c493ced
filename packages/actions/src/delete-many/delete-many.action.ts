import type { CompiledEntity, FlowContext, StepItem } from '@sluice/flow-engine';
import type { CrmRecords } from '@sluice/ports';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import type { ResolvedFields } from '../field-types';
import { adaRecord, bobRecord, bothCustomers, succeeded, twoCustomers } from '../shared/bulk-examples';
import { bulkChecks, bulkFields, bulkLimits } from '../shared/bulk-fields';
import { bulkOutput, endOfFailure, mostForetold, openItem, workPerItem } from '../shared/bulk-write';
import { concludeItems } from '../shared/conclude-items';
import { contactEntity } from '../shared/order-examples';
import { crmEntity, recordKeys } from '../shared/record-targets';
import { runItems, type ItemEnd, type PlannedItem } from '../shared/run-items';

const configSchema = {
  type: 'object',
  required: ['target', 'entity', 'items', 'external_id'],
  properties: {
    ...bulkFields,
    external_id: { type: 'string', 'x-resolve': 'each', description: 'External id of the record, read per element as $._item.' },
  },
} as const satisfies StepFieldsSchema;

type Resolved = ResolvedFields<typeof configSchema>;

/** Deletes one record per element (docs/reference/steps-and-actions.md, bulk actions). */
export const deleteMany = defineAction(configSchema)({
  name: 'delete_many',
  title: 'Delete many',
  description: 'Deletes one CRM record per element of a list; each element has an outcome of its own.',
  category: 'crm',
  min_version: '3.1',
  effect: 'write',
  uses: ['crm'],
  on_repeat: 'The records are gone and their mappings with them: a repeat finds nothing to delete.',
  repeat: 'again',
  required_checks: [
    ...bulkChecks('delete_many'),
    { fields: ['external_id'], message: 'delete_many requires external_id', mode: 'all', equals: null },
  ],
  limits: bulkLimits,
  rules: [],
  examples: [
    {
      title: 'All customers of a file',
      config: { target: 'crm', entity: 'contact', items: '$.payload.customers', external_id: '$._item.email' },
      given: { entities: [contactEntity], payload: { customers: twoCustomers }, records: [adaRecord, bobRecord] },
      expect: {
        kind: 'done',
        output: { ...bothCustomers, results: [succeeded('ada@example.com', '501'), succeeded('bob@example.com', '502')] },
      },
    },
    {
      title: 'In small calls; a customer that the CRM does not have is skipped',
      config: {
        target: 'crm',
        entity: 'contact',
        items: '$.payload.orders[*].customer',
        chunk_size: 10,
        external_id: '$._item.email',
      },
      given: { entities: [contactEntity], payload: { orders: [{ customer: { email: 'ada@example.com' } }] } },
      expect: {
        kind: 'done',
        output: {
          total: 1,
          succeeded: 0,
          failed: 0,
          skipped: 1,
          results: [{ external_id: 'ada@example.com', crm_id: null, status: 'skipped', error: null, reason: 'record_not_found' }],
        },
      },
    },
  ],
  touches: ({ config, entities }) => {
    const entity = entities.get(config.entity);
    if ((config.items ?? []).length > mostForetold) return null;
    const targets = entity ? (config.items ?? []).map((element) => entity.targetOf(config.external_id(element))) : [];
    return { writes: [...new Set(targets.flatMap(recordKeys))], reads: [] };
  },
  run: async ({ config, entities, ctx, before, ports: { crm } }) => {
    const found = crmEntity(entities, config.entity);
    if (!found.ok) return found.outcome;
    const planned = plansOf(config, found.entity, ctx, crm);
    const items: StepItem[] = await runItems(planned, before?.items);
    return concludeItems(items, bulkOutput(items));
  },
});

const plansOf = (config: Resolved, entity: CompiledEntity, ctx: FlowContext, crm: Pick<CrmRecords, 'remove'>): PlannedItem[] =>
  (config.items ?? []).map((element, index) => {
    ctx.budget.work(workPerItem);
    const target = entity.targetOf(config.external_id(element));
    const item = openItem(entity.name, index, target.externalId);
    if (target.externalId === null) {
      const message = `external_id gives no value for element ${index}`;
      return {
        item: { ...item, ...endOfFailure({ kind: 'permanent', code: 'identity_missing', message }) },
        record: null,
        ask: null,
      };
    }
    const request = {
      ...target,
      onTargetDeleted: entity.onTargetDeleted,
      ...(config.chunk_size && { chunkSize: config.chunk_size }),
    };
    return { item, record: target.externalId.trim().toLowerCase(), ask: () => remove(crm, request) };
  });

async function remove(crm: Pick<CrmRecords, 'remove'>, request: Parameters<CrmRecords['remove']>[0]): Promise<ItemEnd> {
  const answer = await crm.remove(request);
  if (!answer.ok) return endOfFailure(answer);
  const { crm_id, skipped, reason } = answer.value;
  return { status: skipped ? 'skipped' : 'succeeded', crm_id, reason, failure: null };
}
