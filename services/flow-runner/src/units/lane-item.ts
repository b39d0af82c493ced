import type { LaneItem } from '@sluice/key-lanes';
import { memoryOf } from './memory-of';
import type { Unit } from './unit';

/** What a unit takes in memory without its payload. */
const unitBytes = 1_500;

/** The lane item of a unit. */
export function laneItem(unit: Unit): LaneItem<Unit> {
  const { plan } = unit;
  return {
    partition: unit.lease.partition,
    offset: unit.offset,
    lane: unit.envelope.lane,
    group: unit.envelope.connector_id,
    value: unit,
    bytes: unitBytes + memoryOf(unit.envelope.payload),
    ...(plan?.convoy && plan.touches ? { convoy: true, touches: plan.touches } : {}),
  };
}
