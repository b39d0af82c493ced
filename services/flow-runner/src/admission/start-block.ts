import type { PortalTrouble } from '@sluice/crm-writer';
import type { HeldReason, ScopeId } from '@sluice/ports';

/** The held scope that a unit joins instead of starting, and why. */
export interface StartRefusal {
  scope: ScopeId;
  reason: HeldReason;
  dueAt: number | null;
  /** The flow that it waits for. */
  flowName?: string;
}

/** Why a unit may not start now. Every reason there is, of units of the log and of held ones, is one value here. */
export type StartBlock =
  /** Another version is active than that of its plan: it may match another flow now. */
  | { kind: 'stale_plan' }
  /** Its connector is paused, or its organization is stopped. */
  | { kind: 'stopped'; refusal: StartRefusal }
  /** The cap of its connector's first writes is reached (ADR 0112). */
  | { kind: 'write_cap'; refusal: StartRefusal }
  /** Older events of its lane wait in a held scope, which it joins. */
  | { kind: 'held_scope'; refusal: StartRefusal }
  /** The breaker of its flow is open (ADR 0105). */
  | { kind: 'breaker'; refusal: StartRefusal }
  /**
   * Older events of its lane wait in the lane's scope, and this one in its flow's: under another version they may touch the same
   * records. The lane's scope never waits for the flow's: its events run, or join it.
   */
  | { kind: 'older_in_lane' }
  /** Older events wait in the scope of the whole connector, which may need the slot of this scope (ADR 0032). */
  | { kind: 'older_in_connector' }
  /** The same, and the connector's scope runs now: it moves such events to the narrower scope. */
  | { kind: 'connector_running' }
  /** Older events of its lane are still to come from the log. */
  | { kind: 'older_in_log' }
  /** Older events that were accepted under another ordering are not settled. */
  | { kind: 'older_ordering' }
  /** It has to be looked up whether there are such events. */
  | { kind: 'ordering_unknown' }
  /** Its portal allows no calls now, or failed all of them for a while (ADR 0031). */
  | { kind: 'portal_closed'; reason: PortalTrouble; waitMs: number };
