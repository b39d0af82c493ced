import { destinationSchema } from '@sluice/actions';
import { compilePath, done, failed, parsePath, permanent, type Outcome } from '@sluice/flow-engine';
import type { Simulate, Simulated } from './simulated-actions';
import { refusal } from './stub-destinations';

export const simulatePost: Simulate = (step) => {
  const { fields, ctx, destinations } = step;
  const body = bodyOf(step);
  if ('kind' in body) return body;
  const response = destinations.send({
    target: String(fields.target),
    method: String(fields.method ?? 'POST'),
    url: String(fields.url),
    headers: (fields.headers ?? {}) as Record<string, unknown>,
    body: body.value,
  });
  const failure = refusal(response);
  const path = typeof fields.external_id_from === 'string' ? compilePath(parsePath(fields.external_id_from)) : null;
  const id = path?.first(response.body, ctx.budget);
  const output = { ...response, external_id: typeof id === 'string' || typeof id === 'number' ? String(id) : null };
  return failure ? failed(failure, { output, wrote: false }) : done(output, { wrote: true });
};

/** A given body beats the projection of the entity. */
function bodyOf({ fields, entities, ctx }: Simulated): { value: unknown } | Outcome {
  if (fields.body !== undefined || fields.entity === undefined) return { value: fields.body };
  const entity = entities.get(String(fields.entity));
  if (!entity) return permanent('unknown_entity', `entity '${String(fields.entity)}' is not in this config`);
  const schema = destinationSchema([...entity.projections.keys()], fields.target);
  const projection = schema === null ? undefined : entity.projections.get(schema);
  if (!projection)
    return permanent('unknown_schema', `entity '${entity.name}' has no schema for the destination '${String(fields.target)}'`);
  const projected = projection.project(ctx, Array.isArray(fields.fields) ? new Set(fields.fields as string[]) : undefined);
  return projected.ok ? { value: projected.properties } : permanent(projected.code, projected.message);
}

/** Best effort: whatever the receiver answers, the step is done. */
export const simulateNotify: Simulate = ({ fields, ctx, flowName, destinations }) => {
  const { status } = destinations.send({
    target: fields.target === undefined ? null : String(fields.target),
    method: 'POST',
    url: String(fields.url),
    headers: (fields.headers ?? {}) as Record<string, unknown>,
    body: {
      connector_id: ctx.connector_id,
      flow_name: flowName,
      event_id: 'dry-run',
      event_type: ctx.event_type,
      external_id: ctx.external_id,
      message: fields.message ?? null,
      data: fields.data ?? null,
      sent_at: ctx.timestamp,
    },
  });
  return done({ delivered: status < 400, status });
};
