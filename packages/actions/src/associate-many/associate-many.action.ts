import type { CompiledEntity, FlowContext, Outcome, RecordTarget, StepItem } from '@sluice/flow-engine';
import type { CrmRecords } from '@sluice/ports';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import type { ResolvedFields } from '../field-types';
import { associationChecks, associationEnds } from '../shared/association-ends';
import { chunkSizeField, itemsField } from '../shared/bulk-fields';
import { endOfFailure, mostForetold, openItem, workPerItem } from '../shared/bulk-write';
import { concludeItems, countItems } from '../shared/conclude-items';
import { companyEntity, contactEntity } from '../shared/order-examples';
import { crmEntity, recordKeys } from '../shared/record-targets';
import { runItems, type ItemEnd, type PlannedItem } from '../shared/run-items';
import { associationChunkLimit } from '../shared/shared-limits';

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

type Resolved = ResolvedFields<typeof configSchema>;

interface Pair {
  from: RecordTarget;
  to: RecordTarget;
}

const people = {
  entities: [contactEntity, companyEntity],
  payload: { people: [{ email: 'ada@example.com', domain: 'example.com' }] },
};
const ada = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } };
const example = { objectType: 'companies', crm_id: '900', properties: { domain: 'example.com' } };
const linked = { from_external_id: 'ada@example.com', to_external_id: 'example.com', status: 'associated', error: null };

/** Associates many pairs of records (docs/reference/steps-and-actions.md, bulk actions). */
export const associateMany = defineAction(configSchema)({
  name: 'associate_many',
  title: 'Associate many',
  description: 'Associates one pair of records per element of a list; each element has an outcome of its own.',
  category: 'crm',
  min_version: '3.1',
  effect: 'associate',
  uses: ['crm'],
  on_repeat: 'The CRM keeps one association of a type between two records: repeating changes nothing.',
  repeat: 'again',
  required_checks: [
    ...associationChecks('associate_many'),
    { fields: ['items'], message: 'associate_many requires items', mode: 'all', equals: null },
  ],
  limits: [associationChunkLimit],
  rules: [],
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
      given: { ...people, records: [ada, example] },
      expect: { kind: 'done', output: { associated: 1, failed: 0, skipped: 0, results: [linked] } },
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
      expect: { kind: 'done', output: { associated: 0, failed: 0, skipped: 0, results: [], reason: 'no_items' } },
    },
  ],
  touches: ({ config, entities }) => {
    const [from, to] = [entities.get(config.from_entity), entities.get(config.to_entity)];
    if (!from || !to) return { writes: [], reads: [] };
    if ((config.items ?? []).length > mostForetold) return null;
    const pairs = pairsOf(config, from, to);
    return { writes: [], reads: [...new Set(pairs.flatMap((pair) => [...recordKeys(pair.from), ...recordKeys(pair.to)]))] };
  },
  run: async ({ config, entities, ctx, before, ports }) => {
    const from = crmEntity(entities, config.from_entity);
    if (!from.ok) return from.outcome;
    const to = crmEntity(entities, config.to_entity);
    if (!to.ok) return to.outcome;
    return associateAll({ config, from: from.entity, to: to.entity, ctx, ended: before?.items, crm: ports.crm });
  },
});

interface AssociateAll {
  config: Resolved;
  from: CompiledEntity;
  to: CompiledEntity;
  ctx: FlowContext;
  ended: readonly StepItem[] | undefined;
  crm: CrmRecords;
}

async function associateAll({ config, from, to, ctx, ended, crm }: AssociateAll): Promise<Outcome> {
  ctx.budget.work(workPerItem * (config.items ?? []).length);
  const pairs = pairsOf(config, from, to);
  const items = await runItems(
    pairs.map((pair, index) => plan(pair, index, config, crm)),
    ended,
  );
  const { succeeded, failed, skipped } = countItems(items);
  const results = items.map(({ status, failure }, index) => ({
    from_external_id: pairs[index]!.from.externalId,
    to_external_id: pairs[index]!.to.externalId,
    status: status === 'succeeded' ? 'associated' : status,
    error: failure?.message ?? null,
  }));
  return concludeItems(items, { associated: succeeded, failed, skipped, results });
}

const pairsOf = (config: Resolved, from: CompiledEntity, to: CompiledEntity): Pair[] =>
  (config.items ?? []).map((item) => ({
    from: from.targetOf(config.from_external_id(item)),
    to: to.targetOf(config.to_external_id(item)),
  }));

function plan({ from, to }: Pair, index: number, config: Resolved, crm: CrmRecords): PlannedItem {
  const item = openItem(from.entity, index, from.externalId, JSON.stringify([from.externalId, to.externalId]));
  if (from.externalId === null || to.externalId === null)
    return { item: { ...item, status: 'skipped', reason: 'missing_external_id' }, record: null, ask: null };
  return { item, record: null, ask: () => associatePair(crm, { from, to }, config) };
}

async function associatePair(crm: CrmRecords, { from, to }: Pair, config: Resolved): Promise<ItemEnd> {
  const answer = await crm.associate({
    from,
    to: [to],
    toObjectType: to.objectType,
    chunkSize: config.chunk_size ?? chunkSizeField.default,
    ...(config.association_type_id !== undefined && { associationTypeId: config.association_type_id }),
    ...(config.association_category !== undefined && { associationCategory: config.association_category }),
  });
  if (!answer.ok) return endOfFailure(answer);
  const [result] = answer.value.results;
  if (result?.status === 'failed')
    return endOfFailure({ kind: 'permanent', code: 'association_failed', message: result.error ?? 'the CRM refused it' });
  return { status: result?.status === 'skipped' ? 'skipped' : 'succeeded', crm_id: null, reason: null, failure: null };
}
