import type { LaneItem } from '@sluice/key-lanes';
import type { Touches } from '@sluice/flow-engine';
import { memoryOf } from './memory-of';
import type { Unit } from './unit';

/** What a unit takes in memory without its payload. */
const unitBytes = 1_500;

/** A unit as the lanes see it. */
export function laneItem(unit: Unit, plan: { convoy: boolean; touches: Touches | null }): LaneItem<Unit> {
  return {
    partition: unit.lease.partition,
    offset: unit.offset,
    lane: unit.envelope.lane,
    group: unit.envelope.connector_id,
    value: unit,
    bytes: unitBytes + memoryOf(unit.envelope.payload),
    ...(plan.convoy && plan.touches ? { convoy: true, touches: plan.touches } : {}),
  };
}
