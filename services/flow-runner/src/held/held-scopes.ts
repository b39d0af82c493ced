import { connectorScope, flowScope, laneScope, type PartitionLease, type PartitionRef, type ScopeId } from '@sluice/ports';
import type { Unit } from '../units/unit';
import { ByPartition } from '../partitions/by-partition';
import { PartitionScopes } from './partition-scopes';
import { type HeldScope, openScope, type OpenedScope } from './held-scope';

/** How much a scope keeps waiting: an event alone, a flow in its lane, a lane, a connector. */
const breadth: Record<ScopeId['kind'], number> = { event: 0, flow: 1, lane: 2, connector: 3 };

/**
 * The held scopes of owned partitions, as far as they are in memory. A scope is added before its first row is written, and
 * removed only when the transaction that deleted its last row counted none left (ADR 0005). All scopes of lanes with events in
 * hand, and all scopes of whole connectors, are in memory (ADR 0033).
 */
export interface HeldScopes {
  /** Starts with an empty set of scopes for a partition that was taken. */
  open(lease: PartitionLease): PartitionScopes;
  /** @param epoch of the event's ownership: a scope of an older epoch is not kept, because its row will be refused */
  add(scope: OpenedScope, epoch: bigint): HeldScope;
  get(topic: string, partition: number, scope: ScopeId): HeldScope | undefined;
  /**
   * The scope this event must join, if any: its lane's, its flow's in the lane, or its connector's.
   * @param from the scope it is run from: only narrower ones can still stop it
   */
  joining(unit: Unit, flowName: string | null, from: HeldScope | null): HeldScope | undefined;
  /**
   * The scope that already holds events of the unit's lane or flow, the older one of both. A unit that must wait for its
   * connector joins it: two scopes that may run at the same time must never both hold events of one lane.
   */
  narrow(unit: Unit, flowName: string | null): HeldScope | undefined;
  /** Removes the scope when it has no row and no hold is being written. True when it went live. */
  liveIfEmpty(scope: HeldScope, heldLeft: number): boolean;
  /** A drain of the scope began; it ended. */
  began(scope: HeldScope): void;
  ended(scope: HeldScope): void;
  /** The scopes of a flow that wait for its breaker are due at once. */
  wake(connectorId: string, flowName: string): void;
  forget(topic: string, partition: number): void;
  partitionScopes(ref: PartitionRef): PartitionScopes | undefined;
  allPartitionScopes(topic: string): PartitionScopes[];
  /** How many are in memory, of all partitions. */
  size(): number;
}

const isBehindHead = (unit: Unit, scope: HeldScope | undefined): HeldScope | undefined =>
  scope && unit.offset >= scope.headOffset ? scope : undefined;

/** @param isStopped whether a flow of a connector may not run now */
export function createHeldScopes(isStopped?: (connectorId: string, flowName: string) => boolean): HeldScopes {
  const allPartitionScopes = new ByPartition<PartitionScopes>();
  const narrow: HeldScopes['narrow'] = (unit, flowName) => {
    const partitionScopes = allPartitionScopes.get(unit.lease);
    const { lane } = unit.envelope;
    return partitionScopes?.get(laneScope(lane)) ?? (flowName === null ? undefined
      : partitionScopes?.get(flowScope(lane, flowName)));
  };
  return {
    open: (lease) => {
      const partitionScopes = new PartitionScopes(lease.topic, lease.partition, lease.epoch, isStopped);
      allPartitionScopes.set(lease, partitionScopes);
      return partitionScopes;
    },
    add: (scope, epoch) => {
      const partitionScopes = allPartitionScopes.get(scope);
      return partitionScopes?.epoch === epoch ? partitionScopes.add(scope) : openScope(scope);
    },
    get: (topic, partition, scope) => allPartitionScopes.get({ topic, partition })?.get(scope),
    joining: (unit, flowName, from) => {
      const partitionScopes = allPartitionScopes.get(unit.lease);
      if (!partitionScopes || partitionScopes.size === 0) return undefined;
      const { lane, connector_id: connectorId } = unit.envelope;
      const wide = from ? breadth[from.scope.kind] : Number.POSITIVE_INFINITY;
      const connector = wide > 3 ? isBehindHead(unit, partitionScopes.get(connectorScope(connectorId))) : undefined;
      if (connector || wide === 3) return narrow(unit, flowName) ?? connector;
      return (wide > 2 ? isBehindHead(unit, partitionScopes.get(laneScope(lane))) : undefined)
        ?? (wide > 1 && flowName !== null ? isBehindHead(unit, partitionScopes.get(flowScope(lane, flowName))) : undefined);
    },
    narrow,
    liveIfEmpty: (scope, heldLeft) => heldLeft === 0 && scope.pendingHolds === 0
      && (allPartitionScopes.get(scope)?.remove(scope) ?? false),
    began: (scope) => allPartitionScopes.get(scope)?.began(scope),
    ended: (scope) => allPartitionScopes.get(scope)?.ended(scope),
    wake: (connectorId, flowName) => allPartitionScopes.values().forEach((partitionScopes) =>
      partitionScopes.wake(connectorId, flowName)),
    forget: (topic, partition) => void allPartitionScopes.delete({ topic, partition }),
    partitionScopes: (ref) => allPartitionScopes.get(ref),
    allPartitionScopes: (topic) => allPartitionScopes.values(topic),
    size: () => allPartitionScopes.values().reduce((sum, partitionScopes) => sum + partitionScopes.size, 0),
  };
}
