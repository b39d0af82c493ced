import { done, failed, type Outcome } from '@sluice/flow-engine';
import type { DissociateResult, RecordTarget } from '@sluice/ports';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import type { ResolvedFields } from '../field-types';
import { associationChecks, associationEnds } from '../shared/association-ends';
import { chunkSizeField, itemsField } from '../shared/bulk-fields';
import { companyEntity, contactEntity } from '../shared/order-examples';
import { crmEntity, recordKeys } from '../shared/record-targets';
import { associationChunkLimit } from '../shared/shared-limits';

const configSchema = {
  type: 'object',
  required: ['target', 'from_entity', 'from_external_id', 'to_entity', 'to_external_id'],
  properties: {
    ...associationEnds,
    items: { ...itemsField, description: 'A list: one association per element.' },
    chunk_size: { ...chunkSizeField, description: 'Associations per call to the CRM.' },
  },
} as const satisfies StepFieldsSchema;

const ada = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } };
const example = { objectType: 'companies', crm_id: '900', properties: { domain: 'example.com' } };

/** Removes associations between two records (docs/reference/steps-and-actions.md, dissociate). */
export const dissociate = defineAction(configSchema)({
  name: 'dissociate',
  title: 'Dissociate',
  description: 'Removes the association of two records, each resolved by external id. A missing id or record is no failure.',
  category: 'crm',
  min_version: '3.0',
  effect: 'associate',
  uses: ['crm'],
  on_repeat: 'Removing an association that is not there changes nothing.',
  repeat: 'again',
  required_checks: associationChecks('dissociate'),
  limits: [associationChunkLimit],
  rules: [],
  examples: [
    {
      title: 'A contact who left its company',
      config: {
        target: 'crm',
        from_entity: 'contact',
        from_external_id: '$.payload.email',
        to_entity: 'company',
        to_external_id: '$.payload.domain',
      },
      given: {
        entities: [contactEntity, companyEntity],
        payload: { email: 'ada@example.com', domain: 'example.com' },
        records: [ada, example],
        links: [['501', '900']],
      },
      expect: {
        kind: 'done',
        output: {
          removed: 1,
          failed: 0,
          skipped: 0,
          results: [{ to_external_id: 'example.com', status: 'removed', error: null }],
        },
      },
    },
    {
      title: 'A company and a list of contacts, of whom the CRM has one',
      config: {
        target: 'crm',
        from_entity: 'company',
        from_external_id: '$.payload.domain',
        to_entity: 'contact',
        items: '$.payload.left',
        to_external_id: '$._item.email',
      },
      given: {
        entities: [contactEntity, companyEntity],
        payload: { domain: 'example.com', left: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }] },
        records: [ada, example],
        links: [['900', '501']],
      },
      expect: {
        kind: 'done',
        output: {
          removed: 1,
          failed: 0,
          skipped: 1,
          results: [
            { to_external_id: 'ada@example.com', status: 'removed', error: null },
            { to_external_id: 'bob@example.com', status: 'skipped', error: null },
          ],
        },
      },
    },
    {
      title: 'Only the association of one type',
      config: {
        target: 'crm',
        from_entity: 'contact',
        from_external_id: '$.payload.email',
        to_entity: 'company',
        to_external_id: '$.payload.domain',
        association_type_id: 12,
        association_category: 'USER_DEFINED',
      },
      given: { entities: [contactEntity, companyEntity], payload: { email: 'ada@example.com' } },
      expect: { kind: 'done', output: { removed: 0, skipped: 1, reason: 'missing_external_id' } },
    },
  ],
  touches: ({ config, entities }) => {
    const [from, to] = [entities.get(config.from_entity), entities.get(config.to_entity)];
    if (!from || !to) return { writes: [], reads: [] };
    const ends = toIds(config).flatMap((id) => recordKeys(to.targetOf(id)));
    // It may remove what another event adds, so it never runs at the same time as other events of its record.
    return { writes: recordKeys(from.targetOf(config.from_external_id)), reads: ends };
  },
  run: async ({ config, entities, ports: { crm } }) => {
    const from = crmEntity(entities, config.from_entity);
    if (!from.ok) return from.outcome;
    const to = crmEntity(entities, config.to_entity);
    if (!to.ok) return to.outcome;
    const source = from.entity.targetOf(config.from_external_id);
    const ends = toIds(config).map((id) => to.entity.targetOf(id));
    if (source.externalId === null || ends.every((end) => end.externalId === null))
      return done({ ...nothingOf(ends), reason: 'missing_external_id' });
    const result = await crm.dissociate({
      from: source,
      to: ends,
      toObjectType: to.entity.targetOf(null).objectType,
      ...(config.association_type_id !== undefined && { associationTypeId: config.association_type_id }),
      ...(config.association_category !== undefined && { associationCategory: config.association_category }),
      chunkSize: config.chunk_size ?? chunkSizeField.default,
    });
    if (result.ok) return conclude(result.value);
    const { landed, ...failure } = result;
    return landed ? failed(failure, { output: { ...landed }, wrote: landed.removed > 0 }) : failed(failure);
  },
});

function toIds(config: ResolvedFields<typeof configSchema>): unknown[] {
  return config.items === undefined ? [config.to_external_id()] : (config.items ?? []).map((item) => config.to_external_id(item));
}

function nothingOf(ends: RecordTarget[]): DissociateResult {
  const results = ends.map((end) => ({ to_external_id: end.externalId, status: 'skipped' as const, error: null }));
  return { removed: 0, failed: 0, skipped: results.length, results };
}

function conclude(result: DissociateResult): Outcome {
  const landed = { output: { ...result }, wrote: result.removed > 0 };
  if (result.failed === 0) return done(landed.output, { wrote: landed.wrote });
  const first = result.results.find((one) => one.status === 'failed');
  const message = first?.error ?? `${result.failed} associations could not be removed`;
  return failed({ kind: 'permanent', code: 'association_failed', message }, landed);
}
