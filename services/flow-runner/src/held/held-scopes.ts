import { connectorScope, flowScope, laneScope, type PartitionLease, type PartitionRef, type ScopeId } from '@sluice/ports';
import type { Unit } from '../units/unit';
import { ByPartition } from '../partitions/by-partition';
import { HeldBook } from './partition-scopes';
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
  open(lease: PartitionLease): HeldBook;
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
  book(ref: PartitionRef): HeldBook | undefined;
  books(topic: string): HeldBook[];
  /** How many are in memory, of all partitions. */
  size(): number;
}

const isBehindHead = (unit: Unit, scope: HeldScope | undefined): HeldScope | undefined =>
  scope && unit.offset >= scope.headOffset ? scope : undefined;

/** @param isStopped whether a flow of a connector may not run now */
export function createHeldScopes(isStopped?: (connectorId: string, flowName: string) => boolean): HeldScopes {
  const books = new ByPartition<HeldBook>();
  const narrow: HeldScopes['narrow'] = (unit, flowName) => {
    const book = books.get(unit.lease);
    const { lane } = unit.envelope;
    return book?.get(laneScope(lane)) ?? (flowName === null ? undefined : book?.get(flowScope(lane, flowName)));
  };
  return {
    open: (lease) => {
      const book = new HeldBook(lease.topic, lease.partition, lease.epoch, isStopped);
      books.set(lease, book);
      return book;
    },
    add: (scope, epoch) => {
      const book = books.get(scope);
      return book?.epoch === epoch ? book.add(scope) : openScope(scope);
    },
    get: (topic, partition, scope) => books.get({ topic, partition })?.get(scope),
    joining: (unit, flowName, from) => {
      const book = books.get(unit.lease);
      if (!book || book.size === 0) return undefined;
      const { lane, connector_id: connectorId } = unit.envelope;
      const wide = from ? breadth[from.scope.kind] : Number.POSITIVE_INFINITY;
      const connector = wide > 3 ? isBehindHead(unit, book.get(connectorScope(connectorId))) : undefined;
      if (connector || wide === 3) return narrow(unit, flowName) ?? connector;
      return (wide > 2 ? isBehindHead(unit, book.get(laneScope(lane))) : undefined)
        ?? (wide > 1 && flowName !== null ? isBehindHead(unit, book.get(flowScope(lane, flowName))) : undefined);
    },
    narrow,
    liveIfEmpty: (scope, heldLeft) => heldLeft === 0 && scope.pendingHolds === 0 && (books.get(scope)?.remove(scope) ?? false),
    began: (scope) => books.get(scope)?.began(scope),
    ended: (scope) => books.get(scope)?.ended(scope),
    wake: (connectorId, flowName) => books.values().forEach((book) => book.wake(connectorId, flowName)),
    forget: (topic, partition) => void books.delete({ topic, partition }),
    book: (ref) => books.get(ref),
    books: (topic) => books.values(topic),
    size: () => books.values().reduce((sum, book) => sum + book.size, 0),
  };
}
