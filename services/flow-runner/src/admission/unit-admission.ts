import type { Admission, PortalGates, PortalTrouble } from '@sluice/crm-writer';
import { isStale } from '../planning/plan-anew';
import type { IntakeDeps } from '../intake/partition-intake';
import type { BarrierState, OrderingBarrier } from '../ordering/ordering-barrier';
import { requiredPortal } from './required-portal';
import type { StartRefusal, UnitProcessor } from '../processing/unit-processor';
import { flowNameOf, type Unit } from '../units/unit';

export interface AdmissionDeps {
  directory: IntakeDeps['directory'];
  processor: Pick<UnitProcessor, 'refusal'>;
  barrier: Pick<OrderingBarrier, 'state'>;
  gates: Pick<PortalGates, 'admit' | 'closed'>;
}

/** Why a unit of the log may not start now. */
export type StartBlock =
  /** Another version is active: the unit may match another flow now. */
  | { kind: 'stale_plan' }
  /** Its connector is stopped, or older events of its lane wait in a held scope. */
  | { kind: 'held'; refusal: StartRefusal }
  /** Older events that were accepted under another ordering are not settled, or it is not known yet whether there are any. */
  | { kind: 'ordering'; state: Exclude<BarrierState, 'open'> }
  | { kind: 'portal_closed'; reason: PortalTrouble; waitMs: number };

/** A unit that may start has an admission to its portal, which must be ended. */
export type StartAnswer = { block: StartBlock } | { block: null; place: Admission };

/**
 * Checks the reasons in this order because a plan that is out of date may name the wrong scope, a unit that joins a held scope
 * must not wait for the portal, and only a unit that would start may take an admission to its portal.
 */
export function admit(deps: AdmissionDeps, unit: Unit): StartAnswer {
  if (isStale(deps, unit)) return { block: { kind: 'stale_plan' } };
  const refusal = deps.processor.refusal(unit, flowNameOf(unit), null);
  if (refusal) return { block: { kind: 'held', refusal } };
  const state = deps.barrier.state(unit);
  if (state !== 'open') return { block: { kind: 'ordering', state } };
  const portal = requiredPortal(deps.directory.get(unit.envelope.connector_id));
  const place = deps.gates.admit(portal);
  const closed = place.room() === 0 ? deps.gates.closed(portal) : null;
  if (!closed) return { block: null, place };
  return { block: { kind: 'portal_closed', ...closed } };
}
