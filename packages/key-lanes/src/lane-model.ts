import type { Fifo } from './fifo';
import type { LaneItem, Work } from './lane-item';

/** A hand-out of a slot. A slot handed out again gets a new ticket, so an old one settles nothing. */
export interface Ticket<T> extends Work<T> {
  readonly slot: Slot<T>;
  /** Handed out to be moved to the held store, not to be worked on: takes no place among the items in flight. */
  readonly diverted: boolean;
  /** The pool whose place in flight it has. */
  readonly pool: string | null;
}

/** The state of one item. It is in two lists: its lane (while it waits) and its partition's log. */
export interface Slot<T> {
  readonly offset: bigint;
  /** Null once finished: an item that stays in the list until it can be committed must not keep its payload in memory. */
  item: LaneItem<T> | null;
  readonly lane: Lane<T>;
  readonly log: PartitionLog<T>;
  /** Set while handed out. */
  ticket: Ticket<T> | null;
  nextInLane: Slot<T> | null;
  nextInLog: Slot<T> | null;
}

/**
 * One lane of one partition. States: empty (forgotten) -> waiting -> ready (queued for a turn) -> busy (`out` > 0)
 * -> waiting or empty. It leaves busy only when everything handed out has settled, so a convoy is never overtaken.
 */
export interface Lane<T> {
  readonly partition: number;
  readonly name: string;
  group: Group<T>;
  first: Slot<T> | null;
  last: Slot<T> | null;
  /** Handed out and not settled, orphans of an earlier ownership of the partition included. */
  out: number;
  /** Released while others of the same convoy still run; they go back to the front together. */
  returned: Slot<T>[];
  /** This many items at the front are the rest of an earlier convoy: no later item may join them. */
  again: number;
  /** Whether it is in its group's queue of ready lanes. */
  queued: boolean;
}

/** The lanes of one connector. */
export interface Group<T> {
  readonly name: string;
  /** Fetched and unfinished items. */
  unfinished: number;
  /** Lanes that wait for a turn: not busy, and with waiting items. */
  readonly ready: Fifo<Lane<T>>;
  inRing: boolean;
}

/**
 * What one ownership (one epoch) of a partition has fetched, as a list in log order. `first` is the lowest
 * unfinished item; finished ones stay in the list only while something before them is unfinished.
 */
export interface PartitionLog<T> {
  readonly partition: number;
  readonly epoch: bigint;
  revoked: boolean;
  first: Slot<T> | null;
  last: Slot<T> | null;
  /** Highest position fetched, or null before the first fetch. */
  highestSeen: bigint | null;
  /** Items fetched and not finished. */
  unfinished: number;
  /** What they take in memory. */
  bytes: number;
  /** Items in the list: the unfinished, and the finished that cannot be committed yet. */
  window: number;
}
