import type { Conflicts, Entity, IdentityGuard } from '@sluice/contracts/config-document';
import type { PropertyValue, RecordTarget } from '@sluice/contracts/record-target';
import { compileConflicts, type ArbitrationOf } from './compiled-conflicts';
import { compileCrmObjectId, idText, type CrmObjectId } from './crm-object-id';
import type { FlowContext } from '../flow-context';
import type { CompiledMapping } from '../mapping/mapping';
import {
  compileProjection,
  identityMapping,
  type CompiledProjection,
  type ProjectionFailure,
} from '../mapping/projection';
import { compileReference, readsEventOnly, type Reference } from '../expressions/reference';

export type { PropertyValue, RecordTarget } from '@sluice/contracts/record-target';

/** A compiled entity, as actions use it. */
export interface CompiledEntity {
  name: string;
  /** CRM object type of the `crm` schema; null when the entity has none. */
  objectType: string | null;
  identityProperty: string | null;
  /** `identity_source_path` of the `crm` schema. */
  identitySourcePath: string | null;
  guard: IdentityGuard | null;
  /** How an event's writes of this entity treat edits made outside of Sluice. */
  arbitration: ArbitrationOf;
  onTargetDeleted: 'skip' | 'recreate';
  /** Projections by schema name. */
  projections: ReadonlyMap<string, CompiledProjection>;
  /** The `crm` schema's projection. */
  crm: CompiledProjection | null;
  /** Whether the identity depends on the event only. */
  identityFromEvent: boolean;
  /** The CRM id of the event's record, read by a schema of the entity. */
  crmObjectId: CrmObjectId;
  identify(ctx: FlowContext): { ok: true; target: RecordTarget } | ProjectionFailure;
  /** The record that an external id names, as the endpoint of an association. */
  targetOf(externalId: unknown): RecordTarget;
}

export type EntityLookup = ReadonlyMap<string, CompiledEntity>;

/**
 * Compiles an entity. Throws ExpressionError.
 * @param conflicts the config's `conflicts` block
 */
export function compileEntity(entity: Entity, conflicts?: Conflicts): CompiledEntity {
  const arbitration = compileConflicts(entity.name, conflicts);
  const projections = new Map(Object.keys(entity.schemas).map((name) => [name, compileProjection(entity, name)]));
  const spec = Object.hasOwn(entity.schemas, 'crm') ? entity.schemas.crm! : {};
  const crm = projections.get('crm') ?? null;
  // Every schema of an entity has the same root.
  const [{ rebase } = { rebase: (ctx: FlowContext) => ctx }] = projections.values();
  const identity = crm ? identityMapping(spec, crm.mappings) : undefined;
  const sourcePath = spec.identity_source_path === undefined ? null : compileReference(spec.identity_source_path);
  const objectType = spec.object_type ?? null;
  const identityProperty = spec.identity?.property ?? null;
  const target = (identityValue: string | null, externalId: string | null): RecordTarget =>
    ({ entity: entity.name, objectType: objectType ?? '', identityProperty, identityValue, externalId });

  const identify = (ctx: FlowContext): ReturnType<CompiledEntity['identify']> => {
    const inner = crm ? crm.rebase(ctx) : ctx;
    const projected = identity ? identity.value(inner) : { ok: true as const, value: undefined };
    if (!projected.ok) return projected;
    if (!isIdentifier(projected.value)) return notAnIdentifier(identity!, projected.value);
    const identityValue = idText(projected.value);
    const own = ctx.own_entity === entity.name ? ctx.external_id : null;
    const fromPath = sourcePath ? idText(sourcePath.first(inner)) : null;
    return { ok: true, target: target(identityValue, own ?? fromPath ?? identityValue) };
  };

  const identityReferences = [...(identity?.references ?? []), ...(sourcePath ? [sourcePath] : []), ...rootReference(entity)];
  return {
    name: entity.name,
    objectType,
    identityProperty,
    identitySourcePath: spec.identity_source_path ?? null,
    guard: spec.identity?.guard ?? null,
    arbitration: (ctx) => arbitration(crm ? crm.rebase(ctx) : ctx),
    onTargetDeleted: entity.on_target_deleted ?? 'skip',
    projections,
    crm,
    identityFromEvent: identityReferences.every(readsEventOnly),
    crmObjectId: compileCrmObjectId(entity, rebase),
    identify,
    targetOf: (externalId) => {
      const id = idText(externalId);
      return entity.on_target_deleted === 'recreate' ? { onTargetDeleted: 'recreate', ...target(id, id) } : target(id, id);
    },
  };
}

/**
 * What an upsert writes: the record and its properties (docs/reference/identity-and-associations.md).
 * `fields` as in compileProjection.
 */
export function projectRecord(
  entity: CompiledEntity,
  ctx: FlowContext,
  fields?: readonly string[],
): { ok: true; target: RecordTarget; properties: Record<string, PropertyValue> } | ProjectionFailure {
  if (!entity.crm) return { ok: false, code: 'mapping_failed', message: `entity '${entity.name}' has no schema 'crm'` };
  const identified = entity.identify(ctx);
  if (!identified.ok) return identified;
  const projected = entity.crm.projectProperties(ctx, fields ? new Set(fields) : undefined);
  if (!projected.ok) return projected;
  return { ok: true, target: identified.target, properties: projected.properties };
}

function rootReference(entity: Entity): Reference[] {
  return entity.payload_root === undefined ? [] : [compileReference(entity.payload_root)];
}

function isIdentifier(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'string' || typeof value === 'number';
}

function notAnIdentifier(mapping: CompiledMapping, value: unknown): ProjectionFailure {
  const type = Array.isArray(value) ? 'list' : typeof value;
  return {
    ok: false,
    code: 'identity_failed',
    message: `mapping '${mapping.label}': the identity must be a text or a number, not a ${type}`,
  };
}
