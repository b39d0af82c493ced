import { done, failed, permanent, projectRecord, type CompiledEntity, type Outcome } from '@sluice/flow-engine';
import type { PropertyValue } from '@sluice/ports';
import type { Simulate, Simulated } from './simulated-actions';

export const simulateCreate: Simulate = (step) => write('create', step);

export const simulateUpdate: Simulate = (step) => write('update', step);

function write(operation: 'create' | 'update', step: Simulated): Outcome {
  const { fields, entities, ctx, notes, records } = step;
  if (fields.target !== 'crm')
    return permanent('target_not_crm', `${operation} writes to the CRM only: use post for '${String(fields.target)}'`);
  const found = crmEntity(entities.get(String(fields.entity)), fields.entity);
  if (!('name' in found)) return found;
  const projected = projectRecord(found, ctx);
  if (!projected.ok) return failed({ kind: 'permanent', code: projected.code, message: projected.message });
  const { target, properties } = projected;
  if (target.externalId === null && target.identityValue === null)
    return permanent('identity_missing', `entity '${found.name}' has no identity value in this event`);
  if (operation === 'update' && !records.known(target)) notes.flag({ simulated_existing_record: true });
  const result = records.write(operation, { ...target, properties }, operation === 'create');
  return done({ entity: found.name, external_id: target.externalId, ...result }, { wrote: true });
}

export const simulateUpdateById: Simulate = ({ fields, entities, notes }) => {
  const entity = entities.get(String(fields.entity));
  const objectType = fields.object_type ?? entity?.objectType;
  const id = fields.object_id;
  if (typeof id !== 'string' && typeof id !== 'number')
    return permanent('identity_missing', 'object_id resolves to nothing');
  const mapped = new Set(entity?.crm?.mappings.flatMap(({ target }) => target ?? []));
  const data = Object.entries(fields.data as Record<string, PropertyValue>);
  const written = fields.mapped_properties_only === true ? data.filter(([name]) => mapped.has(name)) : data;
  const properties = Object.fromEntries(written);
  notes.request({ operation: 'update', object_type: objectType, id: String(id), properties });
  notes.flag({ simulated_existing_record: true });
  const result = { crm_id: String(id), created: false, updated: true, skipped: false, reason: null };
  return done({ entity: entity?.name ?? null, external_id: null, ...result }, { wrote: true });
};

/** An entity that the CRM knows, or the failure that says why it does not. */
export function crmEntity(entity: CompiledEntity | undefined, name: unknown): CompiledEntity | Outcome {
  if (!entity) return permanent('unknown_entity', `entity '${String(name)}' is not in this config`);
  if (!entity.crm || entity.objectType === null)
    return permanent('entity_without_crm_schema', `entity '${entity.name}' has no schema 'crm' with an object_type`);
  return entity;
}
