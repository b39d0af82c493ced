import {
  compilePath,
  idText,
  parsePath,
  permanent,
  type EntityLookup,
  type FlowContext,
  type Outcome,
} from '@sluice/flow-engine';
import type { IdentityMap } from '@sluice/ports';
import { destinationSchema } from '../shared/destination-schema';

/** The mapping that `external_id_from` saves after the answer. */
interface PlannedMapping {
  entity: string;
  objectType: string;
  crmId: string;
}

/**
 * The mapping that a post will save, determined before it is sent: a request that cannot be mapped is not sent. null: it saves
 * none.
 */
export function plannedMapping(
  config: { target: string; entity?: string; external_id_from?: string },
  entities: EntityLookup,
  ctx: FlowContext,
  identities: IdentityMap,
): { ok: true; mapping: PlannedMapping | null } | { ok: false; outcome: Outcome } {
  if (config.external_id_from === undefined || config.entity === undefined) return { ok: true, mapping: null };
  const refused = (outcome: Outcome): { ok: false; outcome: Outcome } => ({ ok: false, outcome });
  const entity = entities.get(config.entity);
  if (!entity) return refused(permanent('unknown_entity', `entity '${config.entity}' is not in this config`));
  if (entity.objectType === null) {
    const message = `external_id_from: entity '${entity.name}' has no schema 'crm' with an object_type`;
    return refused(permanent('entity_without_crm_schema', message));
  }
  const crmId = entity.crmObjectId(ctx, destinationSchema([...entity.projections.keys()], config.target));
  if (crmId === null) return refused(permanent('identity_missing', 'external_id_from: the event names no CRM object'));
  const ready = identities.ready();
  if (!ready.ok) return refused({ kind: 'fail', failure: ready });
  return { ok: true, mapping: { entity: entity.name, objectType: entity.objectType, crmId } };
}

/** The record's id in the answer; null when it is not there. */
export function externalIdIn(answer: unknown, path: string | undefined, ctx: FlowContext): string | null {
  if (path === undefined || answer === null || typeof answer !== 'object') return null;
  return idText(compilePath(parsePath(path)).first(answer, ctx.budget));
}
