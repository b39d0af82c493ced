/** The records that an item writes, and those that it only reads. */
export interface Touches {
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

/** One fetched message, as the lanes see it. */
export interface LaneItem<T> {
  readonly partition: number;
  /** Position in the partition's log. Positions may have gaps (compaction). */
  readonly offset: bigint;
  /** Items of one lane of one partition are worked on in log order. All items of a lane have the same group. */
  readonly lane: string;
  /** Connector id. Turns are taken fairly between groups, and a group's share of memory is bounded. */
  readonly group: string;
  readonly value: T;
  /** What the item touches: no item of a convoy writes what another writes or reads. Without it the item runs alone. */
  readonly touches?: Touches;
  /** What the value takes in memory, roughly. Default 0. */
  readonly bytes?: number;
  /** True: may be handed out together with its neighbours of the lane. Default: strictly one at a time. */
  readonly convoy?: boolean;
}

/**
 * An item handed out. Give this same object back, exactly once, to `complete` or `release`, also after
 * its partition was revoked: only then its lane and its place among the items in flight become free.
 */
export interface Work<T> {
  readonly item: LaneItem<T>;
  /** Epoch of the partition at hand-out: every write made for this item carries it. */
  readonly epoch: bigint;
}

/** What an item takes in memory; a finished one (null) takes nothing. */
export const bytesOf = (item: Pick<LaneItem<unknown>, 'bytes'> | null): number => item?.bytes ?? 0;
