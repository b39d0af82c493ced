import { connectorScope } from '@sluice/ports';
import type { OrderingBarrier } from '../ordering/ordering-barrier';
import type { Processed, UnitProcessor } from '../processing/unit-processor';
import type { Unit } from '../units/unit';

/** How often events that wait for older ones are checked. */
const waitMs = 1_000;

/**
 * Handles an event from the log that may have to wait. All later events of its lane wait too, because the older ones may take
 * long.
 */
export async function waitForOlder(
  barrier: Pick<OrderingBarrier, 'look'>, processor: Pick<UnitProcessor, 'hold'>, unit: Unit, now: number,
): Promise<Processed | { kind: 'planned' }> {
  if (await barrier.look(unit)) return { kind: 'planned' };
  const scope = connectorScope(unit.envelope.connector_id);
  return processor.hold(unit, { scope, reason: 'ordering', dueAt: now + waitMs }, null);
}
