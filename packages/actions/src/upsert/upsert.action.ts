import {
  done,
  failed,
  permanent,
  projectRecord,
  type CompiledEntity,
  type FlowContext,
  type Outcome,
  type RecordTarget,
  type StepFailure,
} from '@sluice/flow-engine';
import type { RecordWrite } from '@sluice/ports';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { writeAssociations } from '../shared/write-associations';
import { associationsField, checkAssociations } from '../shared/associations-field';
import { checkFieldsAllowlist, fieldsField } from '../shared/fields-allowlist';
import { companyEntity, contactEntity } from '../shared/order-examples';
import { crmEntity, recordKeys } from '../shared/record-targets';
import { entityField, targetField, unreadDataField } from '../shared/record-schemas';

const configSchema = {
  type: 'object',
  required: ['target', 'entity'],
  properties: {
    target: targetField,
    entity: { ...entityField, description: "Entity whose `crm` schema's field_mappings are written." },
    data: unreadDataField,
    fields: fieldsField,
    associations: associationsField,
  },
} as const satisfies StepFieldsSchema;

/** Updates the record with the given identity, or creates it (docs/reference/steps-and-actions.md, upsert). */
export const upsert = defineAction(configSchema)({
  name: 'upsert',
  title: 'Upsert',
  description: 'Searches the CRM by the identity value, updates what it finds and creates only if nothing matches.',
  category: 'crm',
  min_version: '3.0',
  effect: 'write',
  uses: ['crm'],
  on_repeat: 'Finds the record it wrote by its mapping or identity: writes the same values, never a second record.',
  required_checks: [{ fields: ['target', 'entity'], message: 'step requires target and entity', mode: 'all', equals: null }],
  limits: [],
  checks: [checkFieldsAllowlist({ identityRequired: true, schema: 'crm' }), checkAssociations],
  examples: [
    {
      title: 'A customer becomes a contact',
      config: { target: 'crm', entity: 'contact' },
      given: { entities: [contactEntity], payload: { email: 'Ada@Example.com', first_name: 'Ada' } },
      expect: {
        kind: 'done',
        output: {
          entity: 'contact',
          external_id: 'ada@example.com',
          crm_id: '1',
          created: true,
          updated: false,
          skipped: false,
          reason: null,
        },
      },
    },
    {
      title: 'Only some fields of a contact that exists, associated with its company',
      config: {
        target: 'crm',
        entity: 'contact',
        fields: ['email'],
        associations: [{ to_entity: 'company', to_external_id: '$.payload.domain' }],
      },
      given: {
        entities: [contactEntity, companyEntity],
        payload: { email: 'ada@example.com', first_name: 'Ada', domain: 'example.com' },
        records: [
          { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } },
          { objectType: 'companies', crm_id: '900', properties: { domain: 'example.com' } },
        ],
      },
      expect: {
        kind: 'done',
        output: {
          entity: 'contact',
          external_id: 'ada@example.com',
          crm_id: '501',
          created: false,
          updated: true,
          skipped: false,
          reason: null,
        },
      },
    },
    {
      title: 'Without an identity value nothing can be searched',
      config: { target: 'crm', entity: 'contact' },
      given: { entities: [contactEntity], payload: { first_name: 'Ada' } },
      expect: { kind: 'fail', code: 'identity_missing' },
    },
    {
      title: 'A REST destination takes post',
      config: { target: 'erp', entity: 'contact' },
      given: { entities: [contactEntity], payload: {} },
      expect: { kind: 'fail', code: 'target_not_crm' },
    },
  ],
  touches: ({ config, entities, ctx }) => {
    const entity = entities.get(config.entity);
    if (!entity) return { writes: [], reads: [] };
    if (!entity.identityFromEvent) return null;
    const identified = entity.identify(ctx);
    const ends = (config.associations ?? []).flatMap((entry) => {
      const other = entities.get(entry.to_entity);
      return other ? recordKeys(other.targetOf(entry.to_external_id)) : [];
    });
    if (!identified.ok) return { writes: [], reads: ends };
    const output = { entity: entity.name, external_id: identified.target.externalId };
    return { writes: recordKeys(identified.target), reads: ends, output };
  },
  run: async ({ config, entities, ctx, ports }) => {
    if (config.target !== 'crm')
      return permanent('target_not_crm', `upsert writes to the CRM only: use post for '${config.target}'`);
    const found = crmEntity(entities, config.entity);
    if (!found.ok) return found.outcome;
    const { entity } = found;
    const projected = projectRecord(entity, ctx, config.fields);
    if (!projected.ok) return notWritten(entity, entryId(entity, ctx), { kind: 'permanent', ...projected });
    const { externalId } = projected.target;
    const missing = missingIdentity(entity, projected.target);
    if (missing !== null)
      return notWritten(entity, externalId, { kind: 'permanent', code: 'identity_missing', message: missing });
    const result = await ports.crm.upsert(writeOf(entity, projected));
    if (!result.ok) return notWritten(entity, externalId, result);
    const output = { entity: entity.name, external_id: externalId, ...result.value };
    const wrote = !result.value.skipped;
    if (!config.associations) return done(output, { wrote });
    const { associations } = config;
    const associated = await writeAssociations({ from: projected.target, associations, entities, crm: ports.crm });
    return associated.failure
      ? failed(associated.failure, { output, wrote: wrote || associated.wrote })
      : done(output, { wrote });
  },
});

/** A failure before anything landed; its output says which record it is about. */
function notWritten(entity: CompiledEntity, externalId: string | null, failure: StepFailure): Outcome {
  const { kind, code, message, retryAfterMs, stepsAside } = failure;
  const output = {
    entity: entity.name,
    external_id: externalId,
    crm_id: null,
    created: false,
    updated: false,
    skipped: false,
    reason: null,
  };
  return failed({ kind, code, message, retryAfterMs, stepsAside }, { output, wrote: false });
}

/** The id that an `entities` entry gives this entity's record even when its mappings fail. */
function entryId(entity: CompiledEntity, ctx: FlowContext): string | null {
  return ctx.own_entity === entity.name ? ctx.external_id : null;
}

function writeOf(
  entity: CompiledEntity,
  record: { target: RecordTarget; properties: RecordWrite['properties'] },
): RecordWrite {
  return { ...record.target, properties: record.properties, onTargetDeleted: entity.onTargetDeleted, guard: entity.guard };
}

function missingIdentity(entity: CompiledEntity, target: RecordTarget): string | null {
  if (entity.identityProperty !== null) {
    if (target.identityValue !== null) return null;
    const mapping = entity.crm?.mappings.find((candidate) => candidate.target === entity.identityProperty);
    if (!mapping) return `no mapping of entity '${entity.name}' writes its identity property '${entity.identityProperty}'`;
    return `mapping '${mapping.label}': its source gives no value, and it is the identity of entity '${entity.name}'`;
  }
  return target.externalId === null
    ? `entity '${entity.name}' has no identity property and the event names no external id`
    : null;
}
