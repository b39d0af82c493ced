import type { ObjectType } from '../model/object-types';
import type { PortalState } from '../state/portal-state';
import type { PlannedWrite } from './prepare-write';
import type { Actor, CrmRecord } from '../stores/record-store';

/** Carries a checked write out: record, associations, counters, journal. Returns the record. */
export function commitWrite(portal: PortalState, type: ObjectType, plan: PlannedWrite, actor: Actor): CrmRecord {
  const { store } = portal.space(type);
  const at = portal.now();
  const record = plan.existing ?? store.create(plan.id, plan.values, at, actor);
  if (plan.existing) store.update(record, plan.values, at, actor);
  if (actor.source === 'api') portal.stats.countWrites(type.name, 1);
  portal.emit({
    kind: 'object',
    action: plan.existing ? 'UPDATE' : 'CREATE',
    objectTypeId: type.id,
    objectId: record.id,
    at,
    changes: plan.values,
  });
  for (const { to, types } of plan.links) portal.associations.link({ typeId: type.id, id: record.id }, to, types, false);
  return record;
}
