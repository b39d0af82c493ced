import type { LaneItem } from '@sluice/key-lanes';
import type { Touches } from '@sluice/flow-engine';
import type { Unit } from './unit';

/** A unit as the lanes see it. */
export function laneItem(unit: Unit, plan: { convoy: boolean; touches: Touches | null }): LaneItem<Unit> {
  return {
    partition: unit.lease.partition,
    offset: unit.offset,
    lane: unit.envelope.lane,
    group: unit.envelope.connector_id,
    value: unit,
    ...(plan.convoy && plan.touches ? { convoy: true, touches: plan.touches } : {}),
  };
}
