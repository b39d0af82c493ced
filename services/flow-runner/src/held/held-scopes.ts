import type { HeldReason } from '@sluice/ports';
import { connectorScope, flowScope, laneScope } from '../units/verdict';
import type { Unit } from '../units/unit';

/** A scope whose events wait in the held store, as its partition's owner knows it. */
export interface HeldScope {
  scope: string;
  topic: string;
  partition: number;
  connectorId: string;
  reason: HeldReason;
  /** Milliseconds since the epoch; null: waits for a change of its connector's state. */
  dueAt: number | null;
  /** It is not tried before this time, due or not: the last try could not go on. */
  notBefore: number;
  /** Nothing before this offset waits in the scope: such an event is fetched again after a crash and runs live. */
  headOffset: bigint;
  /** Holds handed to the settler and not yet written: while there are any the scope is not empty. */
  pendingHolds: number;
  /** Holds ever handed to the settler: tells a look at the store that it may be older than one of them. */
  holds: number;
  /** Lowest offset that joined since the rows were last looked at with no hold on its way: it goes before what was read. */
  lowestJoined: bigint | null;
  draining: boolean;
}

/** Whether a scope keeps later events of its lane waiting; an event that stepped aside waits alone. */
export const holdsOthers = (scope: string): boolean => !scope.startsWith('event:');

/** Whether a scope keeps all later events of a lane waiting: its own, or its connector's. */
export const holdsLane = (scope: string): boolean => scope.startsWith('lane:') || scope.startsWith('connector:');

/** What is told of a scope when it opens, or when one more event joins it. */
export type OpenedScope = Pick<HeldScope, 'scope' | 'topic' | 'partition' | 'connectorId' | 'reason' | 'dueAt' | 'headOffset'>;

/**
 * A connector's scope that waits for its portal is due as soon as the portal's gate lets it: the times on its rows are those of
 * the events, and the portal may be back earlier.
 */
const waitsForPortal = ({ scope, connectorId, reason }: HeldScope): boolean =>
  scope === connectorScope(connectorId) && (reason === 'portal_dry' || reason === 'portal_unavailable');

const isDue = (scope: HeldScope, now: number): boolean =>
  !scope.draining && scope.notBefore <= now && (scope.dueAt === null || scope.dueAt <= now || waitsForPortal(scope));

/** How much a scope keeps waiting: an event alone, a flow in its lane, a lane, a connector. */
const breadth = (scope: string): number => ['event', 'flow', 'lane', 'connector'].indexOf(scope.slice(0, scope.indexOf(':')));

/**
 * The held scopes of owned partitions. A scope is added before its first row is written and removed only when the
 * store says, in the transaction that took its last row, that none is left (DESIGN 2.4, 2.9).
 */
export interface HeldScopes {
  add(scope: OpenedScope): HeldScope;
  get(topic: string, partition: number, scope: string): HeldScope | undefined;
  /**
   * The scope this event must join, if any: its lane's, its flow's in the lane, or its connector's.
   * @param from the scope it is run from: only narrower ones can still stop it
   */
  joining(unit: Unit, flowName: string | null, from: HeldScope | null): HeldScope | undefined;
  /**
   * The scope that already holds events of the unit's lane or flow, whichever of them is older. What must wait for its
   * connector joins it: two scopes that run side by side must never both hold events of one lane.
   */
  narrow(unit: Unit, flowName: string | null): HeldScope | undefined;
  /** Removes the scope when nothing of it is left, waiting to be written included. True when it went live. */
  liveIfEmpty(scope: HeldScope, heldLeft: number): boolean;
  forget(topic: string, partition: number): void;
  due(now: number, mayRun: (scope: HeldScope) => boolean): HeldScope[];
  all(): Iterable<HeldScope>;
}

export function createHeldScopes(): HeldScopes {
  const scopes = new Map<string, HeldScope>();
  const keyOf = (topic: string, partition: number, scope: string): string => `${topic}/${partition}/${scope}`;
  const at = (unit: Unit, scope: string): HeldScope | undefined => {
    const found = scopes.get(keyOf(unit.lease.topic, unit.lease.partition, scope));
    return found && unit.offset >= found.headOffset ? found : undefined;
  };
  const narrow: HeldScopes['narrow'] = (unit, flowName) => {
    const { topic, partition } = unit.lease;
    const { lane } = unit.envelope;
    return scopes.get(keyOf(topic, partition, laneScope(lane))) ?? (flowName === null ? undefined : scopes.get(keyOf(topic, partition, flowScope(lane, flowName))));
  };
  return {
    add: (scope) => {
      const key = keyOf(scope.topic, scope.partition, scope.scope);
      const known = scopes.get(key);
      if (known) {
        if (scope.headOffset < known.headOffset) known.headOffset = scope.headOffset;
        if (known.lowestJoined === null || scope.headOffset < known.lowestJoined) known.lowestJoined = scope.headOffset;
        if (scope.dueAt !== null) Object.assign(known, { dueAt: scope.dueAt, reason: scope.reason });
        return known;
      }
      const added: HeldScope = { ...scope, notBefore: 0, pendingHolds: 0, holds: 0, lowestJoined: null, draining: false };
      scopes.set(key, added);
      return added;
    },
    get: (topic, partition, scope) => scopes.get(keyOf(topic, partition, scope)),
    joining: (unit, flowName, from) => {
      if (scopes.size === 0) return undefined;
      const { lane, connector_id: connectorId } = unit.envelope;
      const wide = from ? breadth(from.scope) : Number.POSITIVE_INFINITY;
      const connector = wide > 3 ? at(unit, connectorScope(connectorId)) : undefined;
      if (connector || wide === 3) return narrow(unit, flowName) ?? connector;
      return (wide > 2 ? at(unit, laneScope(lane)) : undefined)
        ?? (wide > 1 && flowName !== null ? at(unit, flowScope(lane, flowName)) : undefined);
    },
    narrow,
    liveIfEmpty: (scope, heldLeft) => {
      if (heldLeft > 0 || scope.pendingHolds > 0) return false;
      return scopes.delete(keyOf(scope.topic, scope.partition, scope.scope));
    },
    forget: (topic, partition) => {
      for (const [key, scope] of scopes) if (scope.topic === topic && scope.partition === partition) scopes.delete(key);
    },
    due: (now, mayRun) => [...scopes.values()].filter((scope) => isDue(scope, now) && mayRun(scope)),
    all: () => scopes.values(),
  };
}
