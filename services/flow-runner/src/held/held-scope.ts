import type { HeldReason, ScopeId } from '@sluice/ports';

/** A scope with held events, as the owner of its partition has it in memory. */
export interface HeldScope {
  scope: ScopeId;
  topic: string;
  partition: number;
  connectorId: string;
  /** The lane whose events it keeps waiting; null: a scope of the connector, or of one event alone. */
  lane: string | null;
  reason: HeldReason;
  /** Milliseconds since the epoch; null: waits for a change of its connector's state. */
  dueAt: number | null;
  /** It is not tried before this time, even when it is due, because the last try could not continue. Only in memory. */
  notBefore: number;
  /** No event before this offset waits in the scope: one that is fetched again after a crash need not join it. */
  headOffset: bigint;
  /** Holds passed to the settler and not yet written: while there are any, the scope is not empty. */
  pendingHolds: number;
  /** Holds ever passed to the settler: shows whether a read of the store may be older than one of them. */
  holds: number;
  /**
   * Lowest offset that joined since the rows were last read while no hold was being written: it must run before the events read.
   */
  lowestJoined: bigint | null;
  draining: boolean;
}

/** Whether a scope keeps later events of its lane waiting; an event that stepped aside waits alone. */
export const holdsOthers = ({ kind }: ScopeId): boolean => kind !== 'event';

/** Whether a scope keeps all later events of a lane waiting: its own, or its connector's. */
export const holdsLane = ({ kind }: ScopeId): boolean => kind === 'lane' || kind === 'connector';

/** Whether a scope keeps events of one lane waiting, all of them or those of a flow. */
export const isOfLane = ({ kind }: ScopeId): boolean => kind === 'lane' || kind === 'flow';

/** Whether it is the scope of its whole connector. */
export const isWide = ({ scope }: Pick<HeldScope, 'scope'>): boolean => scope.kind === 'connector';

/** The facts of a scope when it opens, or when one more event joins it. */
export type OpenedScope = Pick<
  HeldScope,
  'scope' | 'topic' | 'partition' | 'connectorId' | 'lane' | 'reason' | 'dueAt' | 'headOffset'
>;

/** A scope that was not in memory before. */
export const openScope = ({ scope, topic, partition, connectorId, lane, reason, dueAt, headOffset }: OpenedScope): HeldScope => ({
  scope,
  topic,
  partition,
  connectorId,
  lane,
  reason,
  dueAt,
  headOffset,
  notBefore: 0,
  pendingHolds: 0,
  holds: 0,
  lowestJoined: null,
  draining: false,
});

/**
 * A connector's scope that waits for its portal is due as soon as the portal's gate opens: the times in its rows are the waits of
 * the events, and the portal may be back earlier.
 */
const waitsForPortal = (scope: HeldScope): boolean =>
  isWide(scope) && (scope.reason === 'portal_dry' || scope.reason === 'portal_unavailable');

/** From when on it may be tried. */
export const readyAt = (scope: HeldScope): number => Math.max(scope.notBefore, waitsForPortal(scope) ? 0 : (scope.dueAt ?? 0));

/** It waits on without a write to its rows: its due time and reason in the store are then out of date. */
export function waitOn(scope: HeldScope, { dueAt, reason }: Pick<HeldScope, 'dueAt' | 'reason'>): void {
  Object.assign(scope, { dueAt, reason });
  if (!isWide(scope)) scope.notBefore = Math.max(scope.notBefore, dueAt ?? 0);
}
