import {
  done,
  failed,
  permanent,
  projectRecord,
  type CompiledEntity,
  type EntityLookup,
  type FlowContext,
  type Outcome,
  type RecordTarget,
  type StepBefore,
  type StepFailure,
  type StepOutput,
  type StepTouches,
} from '@sluice/flow-engine';
import type { CallResult, CrmRecords, RecordWrite, RecordWriteResult } from '@sluice/ports';
import type { ResolvedFields } from '../field-types';
import { crmEntity, recordKeys } from './record-targets';
import type { associationsField } from './associations-field';
import type { fieldsField } from './fields-allowlist';
import type { entityField, targetField } from './record-schemas';
import { writeAssociations } from './write-associations';

/** The fields of an action that writes the projection of an entity. */
type WriteFields = ResolvedFields<{
  type: 'object';
  required: ['target', 'entity'];
  properties: {
    target: typeof targetField;
    entity: typeof entityField;
    fields: typeof fieldsField;
    associations: typeof associationsField;
  };
}>;

interface Write {
  action: string;
  config: WriteFields;
  entities: EntityLookup;
  ctx: FlowContext;
  /** What earlier attempts left of the step. */
  before: StepBefore | undefined;
  crm: CrmRecords;
  write(record: RecordWrite): Promise<CallResult<RecordWriteResult>>;
}

/** Writes the projection of an entity, then the associations of the record. */
export async function writeRecord({ action, config, entities, ctx, before, crm, write }: Write): Promise<Outcome> {
  if (config.target !== 'crm')
    return permanent('target_not_crm', `${action} writes to the CRM only: use post for '${config.target}'`);
  const found = crmEntity(entities, config.entity);
  if (!found.ok) return found.outcome;
  const { entity } = found;
  const projected = projectRecord(entity, ctx, config.fields);
  if (!projected.ok) return notWritten(entity, entryId(entity, ctx), { kind: 'permanent', ...projected });
  const { externalId } = projected.target;
  const missing = missingIdentity(entity, projected.target);
  if (missing !== null)
    return notWritten(entity, externalId, { kind: 'permanent', code: 'identity_missing', message: missing });
  const result = await write(writeOf(entity, projected, ctx, { unansweredSince: before?.unansweredSince ?? undefined }));
  if (!result.ok) return notWritten(entity, externalId, result);
  const output = asFirst({ entity: entity.name, external_id: externalId, ...result.value }, before);
  const wrote = !result.value.skipped;
  // Without a record there is nothing to associate, and one that create met is left as it is.
  const isLeft = result.value.crm_id === null || result.value.reason === 'already_exists';
  if (!config.associations || isLeft) return done(output, { wrote });
  const { associations } = config;
  const associated = await writeAssociations({ from: projected.target, associations, entities, crm });
  return associated.failure
    ? failed(associated.failure, { output, wrote: wrote || associated.wrote })
    : done(output, { wrote });
}

/** The output of the first attempt that wrote this record: only that one created it, for example. */
const asFirst = (output: StepOutput, before: StepBefore | undefined): StepOutput =>
  before?.landed && before.landed['crm_id'] === output['crm_id'] ? before.landed : output;

/** The records that `writeRecord` touches; null where the event alone does not decide it. */
export function touchesOfWrite(config: WriteFields, entities: EntityLookup, ctx: FlowContext): StepTouches | null {
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
}

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

/** What is asked of the CRM writer for a projected record. */
export function writeOf(
  entity: CompiledEntity,
  { target, properties }: { target: RecordTarget; properties: RecordWrite['properties'] },
  ctx: FlowContext,
  { chunkSize, unansweredSince }: Pick<RecordWrite, 'chunkSize' | 'unansweredSince'>,
): RecordWrite {
  // Every field by its name: V8 gives each object that adds to a spread a hidden class of its own.
  const { entity: name, objectType, identityProperty, identityValue, externalId } = target;
  const { onTargetDeleted, guard } = entity;
  return {
    entity: name,
    objectType,
    identityProperty,
    identityValue,
    externalId,
    properties,
    onTargetDeleted,
    guard,
    conflicts: entity.arbitration(ctx),
    chunkSize,
    unansweredSince,
  };
}

/** Why a record cannot be identified; null: it can. */
export function missingIdentity(entity: CompiledEntity, target: RecordTarget): string | null {
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
