import { done, failed, type Outcome } from '@sluice/flow-engine';
import type { AssociateAnswer, AssociateRequest, AssociateResult, RecordTarget } from '@sluice/ports';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import type { AuthoredFields, ResolvedFields } from '../field-types';
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
    replace: {
      type: 'boolean',
      default: false,
      description: 'Afterwards remove associations to to_entity that the list does not contain. Requires items.',
    },
  },
} as const satisfies StepFieldsSchema;

type AssociateConfig = AuthoredFields<typeof configSchema>;
type ResolvedAssociate = ResolvedFields<typeof configSchema>;

const contactWithCompany: AssociateConfig = {
  target: 'crm',
  from_entity: 'contact',
  from_external_id: '$.payload.email',
  to_entity: 'company',
  to_external_id: '$.payload.domain',
};
const companyWithContacts: AssociateConfig = {
  target: 'crm',
  from_entity: 'company',
  from_external_id: '$.payload.domain',
  items: '$.payload.people',
  to_entity: 'contact',
  to_external_id: '$._item.email',
};
const ada = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } };
const example = { objectType: 'companies', crm_id: '900', properties: { domain: 'example.com' } };

/** Associates two records, or one record with many (docs/reference/steps-and-actions.md, associate). */
export const associate = defineAction(configSchema)({
  name: 'associate',
  title: 'Associate',
  description: 'Associates records upserted earlier, each resolved by external id. A missing id is no failure: nothing is done.',
  category: 'crm',
  min_version: '3.0',
  effect: 'associate',
  uses: ['crm'],
  on_repeat: 'The CRM keeps one association of a type between two records: repeating changes nothing.',
  repeat: 'again',
  required_checks: [
    ...associationChecks('associate'),
    {
      fields: ['replace', 'items'], message: 'replace requires items', mode: 'requires', equals: null,
      type: 'associate_replace_without_items',
    },
  ],
  limits: [associationChunkLimit],
  rules: [],
  examples: [
    {
      title: 'A contact with its company',
      config: contactWithCompany,
      given: {
        entities: [contactEntity, companyEntity],
        payload: { email: 'ada@example.com', domain: 'example.com' },
        records: [ada, example],
      },
      expect: {
        kind: 'done',
        output: {
          associated: 1,
          failed: 0,
          skipped: 0,
          results: [{ to_external_id: 'example.com', status: 'associated', error: null }],
        },
      },
    },
    {
      title: 'A company with all its contacts; an element without id is skipped',
      config: companyWithContacts,
      given: {
        entities: [contactEntity, companyEntity],
        payload: { domain: 'example.com', people: [{ email: 'ada@example.com' }, { name: 'Bob' }] },
        records: [ada, example],
      },
      expect: {
        kind: 'done',
        output: {
          associated: 1,
          failed: 0,
          skipped: 1,
          results: [
            { to_external_id: 'ada@example.com', status: 'associated', error: null },
            { to_external_id: null, status: 'skipped', error: null },
          ],
        },
      },
    },
    {
      title: 'A company whose list of contacts has become empty: replace removes those it had',
      config: { ...companyWithContacts, replace: true },
      given: {
        entities: [contactEntity, companyEntity],
        payload: { domain: 'example.com', people: [] },
        records: [example],
      },
      expect: { kind: 'done', output: { associated: 0, failed: 0, skipped: 0, results: [] } },
    },
    {
      title: 'No company in the event',
      config: contactWithCompany,
      given: { entities: [contactEntity, companyEntity], payload: { email: 'ada@example.com' } },
      expect: {
        kind: 'done',
        output: {
          associated: 0,
          failed: 0,
          skipped: 1,
          results: [{ to_external_id: null, status: 'skipped', error: null }],
          reason: 'missing_external_id',
        },
      },
    },
    {
      title: 'The company is still to come',
      config: contactWithCompany,
      given: {
        entities: [contactEntity, companyEntity],
        payload: { email: 'ada@example.com', domain: 'example.com' },
        records: [ada],
      },
      expect: { kind: 'retry', code: 'related_record_not_synced' },
    },
  ],
  touches: ({ config, entities }) => {
    const [from, to] = [entities.get(config.from_entity), entities.get(config.to_entity)];
    if (!from || !to) return { writes: [], reads: [] };
    const ends = externalIds(config).flatMap((id) => recordKeys(to.targetOf(id)));
    const start = recordKeys(from.targetOf(config.from_external_id));
    // What `replace` removes depends on what other events added before, so it never runs at the same time as they do.
    return config.replace === true ? { writes: start, reads: ends } : { writes: [], reads: [...start, ...ends] };
  },
  run: async ({ config, entities, ports }) => {
    const from = crmEntity(entities, config.from_entity);
    if (!from.ok) return from.outcome;
    const to = crmEntity(entities, config.to_entity);
    if (!to.ok) return to.outcome;
    const source = from.entity.targetOf(config.from_external_id);
    const ends = externalIds(config).map((id) => to.entity.targetOf(id));
    // With `replace`, an empty list removes all associations; a missing list, or one without ids, must not.
    const clears = config.replace === true && config.items?.length === 0;
    const nothing = source.externalId === null || (!clears && ends.every((end) => end.externalId === null));
    if (nothing) return done({ ...noOp(ends), reason: 'missing_external_id' });
    const result = await ports.crm.associate(requestOf(config, source, ends, to.entity.targetOf(null).objectType));
    return result.ok ? conclude(result.value) : interrupted(result);
  },
});

function externalIds(config: ResolvedAssociate): unknown[] {
  return config.items === undefined ? [config.to_external_id()] : (config.items ?? []).map((item) => config.to_external_id(item));
}

function requestOf(config: ResolvedAssociate, from: RecordTarget, to: RecordTarget[], toObjectType: string): AssociateRequest {
  return {
    from,
    to,
    toObjectType,
    ...(config.association_type_id !== undefined && { associationTypeId: config.association_type_id }),
    ...(config.association_category !== undefined && { associationCategory: config.association_category }),
    replace: config.replace === true,
    ...(config.items !== undefined && { chunkSize: config.chunk_size ?? chunkSizeField.default }),
  };
}

function noOp(ends: RecordTarget[]): Omit<AssociateResult, 'removed'> {
  const results = ends.map((end) => ({ to_external_id: end.externalId, status: 'skipped' as const, error: null }));
  return { associated: 0, failed: 0, skipped: results.length, results };
}

/** Some of the list may have been associated although the step will run again, or has failed. */
function interrupted({ landed, ...failure }: Exclude<AssociateAnswer, { ok: true }>): Outcome {
  if (!landed) return failed(failure);
  const { removed, ...output } = landed;
  return failed(failure, { output, wrote: output.associated > 0 || removed > 0 });
}

function conclude({ removed, ...result }: AssociateResult): Outcome {
  const landed = { output: { ...result }, wrote: result.associated > 0 || removed > 0 };
  if (result.failed === 0) return done(landed.output, { wrote: landed.wrote });
  const first = result.results.find((one) => one.status === 'failed');
  return failed(
    { kind: 'permanent', code: 'association_failed', message: first?.error ?? `${result.failed} associations failed` },
    landed,
  );
}
