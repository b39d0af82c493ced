import { permanent, type EntityLookup, type FlowContext, type Outcome } from '@sluice/flow-engine';
import { destinationSchema } from '../shared/destination-schema';

/** The fields of a post that say what is sent. */
interface BodyConfig {
  target: string;
  method?: string;
  body?: unknown;
  entity?: string;
  fields?: readonly string[];
}

/** What a post sends: its body where it has one, else the projection of its entity; undefined: nothing. GET has no body. */
export function postBody(
  config: BodyConfig,
  entities: EntityLookup,
  ctx: FlowContext,
): { ok: true; body: unknown } | { ok: false; outcome: Outcome } {
  if (config.method === 'GET') return { ok: true, body: undefined };
  if (Object.hasOwn(config, 'body') || config.entity === undefined) return { ok: true, body: config.body };
  const entity = entities.get(config.entity);
  if (!entity) return { ok: false, outcome: permanent('unknown_entity', `entity '${config.entity}' is not in this config`) };
  const name = destinationSchema([...entity.projections.keys()], config.target);
  const projection = name === null ? undefined : entity.projections.get(name);
  if (!projection) {
    const message = `entity '${entity.name}' has no schema for the destination '${config.target}'`;
    return { ok: false, outcome: permanent('unknown_schema', message) };
  }
  const projected = projection.project(ctx, config.fields ? new Set(config.fields) : undefined);
  return projected.ok
    ? { ok: true, body: projected.properties }
    : { ok: false, outcome: permanent(projected.code, projected.message) };
}
