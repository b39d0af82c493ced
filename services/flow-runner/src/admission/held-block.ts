import type { KeyLanes } from '@sluice/key-lanes';
import { connectorScope, laneScope } from '@sluice/ports';
import type { HeldScope } from '../held/held-scope';
import { holdsOthers } from '../held/held-scope';
import type { HeldScopes } from '../held/held-scopes';
import type { OrderingBarrier } from '../ordering/ordering-barrier';
import type { Unit } from '../units/unit';

export interface HeldBlockDeps {
  topic: string;
  scopes: Pick<HeldScopes, 'get'>;
  lanes: Pick<KeyLanes<Unit>, 'isClearBefore'>;
  barrier: Pick<OrderingBarrier, 'state'>;
}

/** Why a unit of a held scope may not start now. */
export type HeldBlock =
  /**
   * Older events of its lane wait in the lane's scope, and this one in its flow's: under another version they may touch the same
   * records. The lane's scope never waits for the flow's: its events run, or join it.
   */
  | 'older_in_lane'
  /** Older events wait in the scope of the whole connector, which may need the slot of this scope (ADR 0032). */
  | 'older_in_connector'
  /** The same, and the connector's scope runs now: it moves such events to the narrower scope. */
  | 'connector_running'
  /** Older events of its lane are still to come from the log. */
  | 'older_in_log'
  /** Older events that were accepted under another ordering are not settled; or that is not known yet. */
  | 'older_ordering'
  | 'ordering_unknown';

/** Checks the reasons in their order, from the narrowest scope to the widest. An event that stepped aside waits for no other. */
export function heldBlock({ topic, scopes, lanes, barrier }: HeldBlockDeps, unit: Unit, scope: HeldScope): HeldBlock | null {
  const { lane } = unit.envelope;
  const isOlder = (other: HeldScope | undefined): other is HeldScope =>
    other !== undefined && other !== scope && other.headOffset < unit.offset;
  if (scope.scope.kind === 'flow' && isOlder(scopes.get(topic, scope.partition, laneScope(lane)))) return 'older_in_lane';
  if (!holdsOthers(scope.scope)) return null;
  const wider = scopes.get(topic, scope.partition, connectorScope(scope.connectorId));
  if (isOlder(wider)) return wider.draining ? 'connector_running' : 'older_in_connector';
  if (!lanes.isClearBefore(unit.lease.partition, lane, unit.offset)) return 'older_in_log';
  const state = barrier.state(unit);
  if (state === 'open') return null;
  return state === 'closed' ? 'older_ordering' : 'ordering_unknown';
}
