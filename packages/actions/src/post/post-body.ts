import {
  mappingReads,
  permanent,
  type CompiledEntity,
  type CompiledMapping,
  type CompiledProjection,
  type EntityLookup,
  type FlowContext,
  type Outcome,
} from '@sluice/flow-engine';
import { destinationSchema } from '../shared/destination-schema';
import { changedProperties } from './carried-record';
import type { PostFields } from './post-fields';

/** The fields of a post that say what is sent. */
type BodyFields = Pick<PostFields, 'target' | 'method' | 'body' | 'entity' | 'fields'>;

/** `mappings`: those that a projected body of an event of the journal is made of. */
type PostBody = { ok: true; body: unknown; mappings?: readonly CompiledMapping[] } | { ok: false; outcome: Outcome };

/** The body of a post: its own if given, else the projection of its entity; undefined: none. GET has no body. */
export function postBody(config: BodyFields, entities: EntityLookup, ctx: FlowContext): PostBody {
  if (config.method === 'GET') return { ok: true, body: undefined };
  if (Object.hasOwn(config, 'body') || config.entity === undefined) return { ok: true, body: config.body };
  const entity = entities.get(config.entity);
  if (!entity) return { ok: false, outcome: permanent('unknown_entity', `entity '${config.entity}' is not in this config`) };
  const projection = projectionFor(entity, config.target);
  if (!projection) {
    const message = `entity '${entity.name}' has no schema for the destination '${config.target}'`;
    return { ok: false, outcome: permanent('unknown_schema', message) };
  }
  const fields = config.fields ? new Set(config.fields) : undefined;
  const only = changedMappings(entity, projection, entities, ctx);
  const projected = projection.project(ctx, fields, only);
  if (!projected.ok) return { ok: false, outcome: permanent(projected.code, projected.message) };
  if (ctx.outbound === null) return { ok: true, body: projected.properties };
  const mappings = projection.mappings.filter((mapping) => projection.includes(mapping, fields) && (!only || only.has(mapping)));
  return { ok: true, body: projected.properties, mappings };
}

/** By the schema that the destination gets. */
export function projectionFor(entity: CompiledEntity, target: string): CompiledProjection | undefined {
  const name = destinationSchema([...entity.projections.keys()], target);
  return name === null ? undefined : entity.projections.get(name);
}

/**
 * `narrow_outbound_projection`: the mappings of what the event changed, and that of the identity: the destination's own, else
 * what reads the identity property of the CRM. undefined: all of them.
 */
function changedMappings(
  entity: CompiledEntity,
  projection: CompiledProjection,
  entities: EntityLookup,
  ctx: FlowContext,
): ReadonlySet<CompiledMapping> | undefined {
  const changed = ctx.outbound?.narrow ? changedProperties(ctx) : null;
  if (changed === null) return undefined;
  const passes = (mapping: CompiledMapping): boolean => {
    if (projection.identityProperty !== null && mapping.target === projection.identityProperty) return true;
    const reads = mappingReads(mapping, projection, entities);
    if (projection.identityProperty === null && reads.names.has(entity.identityProperty ?? '')) return true;
    return (changed.size > 0 && (reads.all || reads.some)) || [...reads.names].some((name) => changed.has(name));
  };
  return new Set(projection.mappings.filter(passes));
}
