import type { Entity, FieldMapping, SchemaSpec } from '@sluice/contracts/config-document';
import type { PropertyValue } from '@sluice/contracts/record-target';
import { compileMapping, type CompiledMapping, type MappingFailure } from './mapping';
import type { FlowContext } from '../flow-context';
import { compileReference, type Reference } from '../expressions/reference';
import { setOwn } from './set-own';
import { typeName } from '../transforms/transform';

export type ProjectionFailure = { ok: false; code: MappingFailure['code'] | 'identity_failed'; message: string };
export type Projected<V> = { ok: true; properties: Record<string, V> } | ProjectionFailure;

/** One schema of one entity, compiled. */
export interface CompiledProjection {
  schemaName: string;
  /** The entity's `payload_root`. */
  root: string | null;
  identityProperty: string | null;
  mappings: CompiledMapping[];
  references: Reference[];
  /** The context for this entity: with `payload_root` as `$.payload`. */
  rebase(ctx: FlowContext): FlowContext;
  /** Whether `fields` allows a mapping. */
  includes(mapping: CompiledMapping, fields?: ReadonlySet<string>): boolean;
  /** Any JSON value per target; canonical targets (`$.canonical.a.b`) nest. `only`: of these mappings. */
  project(ctx: FlowContext, fields?: ReadonlySet<string>, only?: ReadonlySet<CompiledMapping>): Projected<unknown>;
  /** The values for the CRM: scalars only, without canonical targets. */
  projectProperties(ctx: FlowContext, fields?: ReadonlySet<string>): Projected<PropertyValue>;
}

/**
 * Compiles an entity's schema. `fields` filters static targets; template targets are never filtered, and the identity property
 * is always written. Throws ExpressionError.
 */
export function compileProjection(entity: Entity, schemaName: string): CompiledProjection {
  const schema = entity.schemas[schemaName] ?? {};
  const identity = schema.identity?.property;
  const isIdentity = ({ target }: FieldMapping): boolean => target !== undefined && target === identity;
  const mappings = (schema.field_mappings ?? []).map((mapping) => compileMapping(mapping, isIdentity(mapping)));
  const root = entity.payload_root === undefined ? null : compileReference(entity.payload_root);
  const rebase = (ctx: FlowContext): FlowContext => (root === null ? ctx : { ...ctx, payload: root.first(ctx) ?? null });
  const included = (mapping: CompiledMapping, fields?: ReadonlySet<string>): boolean =>
    !fields || mapping.target === null || mapping.target === identity || fields.has(mapping.target);

  const collect = <V>(ctx: FlowContext, passes: (mapping: CompiledMapping) => boolean, put: Put<V>): Projected<V> => {
    const properties: Record<string, V> = {};
    const inner = rebase(ctx);
    const { projectionLength } = ctx.budget.limits;
    let length = 0;
    for (const mapping of mappings) {
      if (!passes(mapping)) continue;
      const mapped = mapping.value(inner);
      if (!mapped.ok) return mapped;
      if (mapped.value === undefined) continue;
      if (typeof mapped.value === 'string') length += mapped.value.length;
      if (length > projectionLength) return tooLong(mapping, projectionLength);
      const name = mapping.name(inner);
      if (!name.ok) return name;
      const problem = put(properties, name.value, mapped.value, mapping);
      if (problem !== null) return { ok: false, code: 'mapping_failed', message: problem };
    }
    return { ok: true, properties };
  };
  return {
    schemaName,
    root: entity.payload_root ?? null,
    identityProperty: identity ?? null,
    mappings,
    references: [...mappings.flatMap((mapping) => mapping.references), ...(root ? [root] : [])],
    rebase,
    includes: included,
    project: (ctx, fields, only) =>
      collect(ctx, (mapping) => included(mapping, fields) && (!only || only.has(mapping)), putAny),
    projectProperties: (ctx, fields) => collect(ctx, (mapping) => included(mapping, fields), putProperty),
  };
}

function tooLong(mapping: CompiledMapping, limit: number): ProjectionFailure {
  return {
    ok: false,
    code: 'expression_limit',
    message: `mapping '${mapping.label}': the record has more than ${limit} characters of text`,
  };
}

/** The mapping that writes the identity property; undefined when none does. */
export function identityMapping(schema: SchemaSpec, mappings: CompiledMapping[]): CompiledMapping | undefined {
  return mappings.find((mapping) => mapping.target !== null && mapping.target === schema.identity?.property);
}

type Put<V> = (properties: Record<string, V>, name: string, value: unknown, mapping: CompiledMapping) => string | null;

const putProperty: Put<PropertyValue> = (properties, name, value, mapping) => {
  // The canonical side is not sent to the CRM.
  if (mapping.canonicalPath !== null) return null;
  if (value !== null && typeof value === 'object') {
    return `mapping '${mapping.label}': ${typeName(value)} is no property value: add a transform such as 'join' or 'json_stringify'`;
  }
  setOwn(properties, name, value as PropertyValue);
  return null;
};

const putAny: Put<unknown> = (properties, name, value, { canonicalPath: path }) => {
  if (path === null) setOwn(properties, name, value);
  else setPath(properties, path, value);
  return null;
};

function setPath(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [head, ...rest] = path;
  if (head === undefined) return;
  if (rest.length === 0) return setOwn(target, head, value);
  const inner = Object.hasOwn(target, head) ? target[head] : undefined;
  const next = inner !== null && typeof inner === 'object' ? (inner as Record<string, unknown>) : {};
  setOwn(target, head, next);
  setPath(next, rest, value);
}
