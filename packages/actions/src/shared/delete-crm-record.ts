import {
  done,
  failed,
  permanent,
  type EntityLookup,
  type FlowContext,
  type Outcome,
  type StepTouches,
} from '@sluice/flow-engine';
import type { CrmLifecycle } from '@sluice/ports';
import { crmEntity, recordKeys } from './record-targets';

interface Deletion {
  entity: string;
  entities: EntityLookup;
  ctx: FlowContext;
  crm: Pick<CrmLifecycle, 'remove'>;
}

const unchanged = { created: false, updated: false };

/**
 * Deletes the CRM record of the event's external id. A record that does not exist counts as deleted: an earlier attempt, whose
 * answer was lost, may have deleted it.
 */
export async function deleteCrmRecord({ entity: name, entities, ctx, crm }: Deletion): Promise<Outcome> {
  const found = crmEntity(entities, name);
  if (!found.ok) return found.outcome;
  const { entity } = found;
  const identified = entity.identify(ctx);
  if (!identified.ok) return permanent(identified.code, identified.message);
  const { target } = identified;
  const facts = { entity: name, external_id: target.externalId, ...unchanged };
  if (target.externalId === null && target.identityValue === null)
    return permanent('identity_missing', `entity '${name}' has no identity value in this event`);
  const result = await crm.remove({ ...target, onTargetDeleted: entity.onTargetDeleted });
  if (result.ok) return done({ ...facts, ...result.value }, { wrote: result.value.deleted });
  const nothing = { crm_id: null, deleted: false, already_absent: false, skipped: false, reason: null };
  return failed(result, { output: { ...facts, ...nothing }, wrote: false });
}

/** The record that a deletion touches; null when that depends on more than the event. */
export function touchesOfDelete(name: string, entities: EntityLookup, ctx: FlowContext): StepTouches | null {
  const entity = entities.get(name);
  if (!entity) return { writes: [], reads: [] };
  if (!entity.identityFromEvent) return null;
  const identified = entity.identify(ctx);
  if (!identified.ok) return { writes: [], reads: [] };
  const output = { entity: name, external_id: identified.target.externalId };
  return { writes: recordKeys(identified.target), reads: [], output };
}
