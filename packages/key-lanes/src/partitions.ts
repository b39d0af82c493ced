import { bytesOf } from './lane-item';
import { createLane, emptyLane } from './lane';
import type { Group, Lane, PartitionLog, Slot } from './lane-model';
import { appendToLog, createPartitionLog, finishInLog } from './partition-log';

/** A lane with orphans is kept beyond the ownership of its partition. */
interface Partition<T> {
  log: PartitionLog<T> | null;
  readonly lanes: Map<string, Lane<T>>;
}

/** What all owned partitions have in memory together. */
export interface Totals {
  /** Owned partitions. */
  readonly owned: number;
  /** Fetched and unfinished items. */
  readonly unfinished: number;
  /** What they take in memory. */
  readonly bytes: number;
}

/**
 * The partitions, each with the log of its present ownership and its lanes.
 *
 * Invariants:
 * - `unfinished` and `bytes` are the sums of those of the owned logs, and `owned` is their number.
 * - A lane is kept while it has waiting items or some that are handed out, a partition while it is owned or has a lane.
 */
export class Partitions<T> implements Totals {
  owned = 0;
  unfinished = 0;
  bytes = 0;
  private readonly partitions = new Map<number, Partition<T>>();

  /** The log of the present ownership; null when the partition is not owned. */
  logOf(partition: number): PartitionLog<T> | null {
    return this.partitions.get(partition)?.log ?? null;
  }

  laneOf(partition: number, name: string): Lane<T> | undefined {
    return this.partitions.get(partition)?.lanes.get(name);
  }

  /** Number of lanes of all partitions. */
  countLanes(): number {
    let count = 0;
    for (const { lanes } of this.partitions.values()) count += lanes.size;
    return count;
  }

  /** Starts an ownership of a partition that is not owned. */
  own(partition: number, epoch: bigint): void {
    const lanes = this.partitions.get(partition)?.lanes ?? new Map<string, Lane<T>>();
    this.partitions.set(partition, { log: createPartitionLog(partition, epoch), lanes });
    this.owned += 1;
  }

  /** Ends the ownership of a log: its waiting items are forgotten, and its lanes leave their queues of ready lanes. */
  disown(log: PartitionLog<T>): void {
    const partition = this.partitions.get(log.partition)!;
    log.revoked = true;
    partition.log = null;
    this.owned -= 1;
    this.unfinished -= log.unfinished;
    this.bytes -= log.bytes;
    for (const lane of partition.lanes.values()) {
      emptyLane(lane);
      lane.queued = false;
      this.forgetIfEmpty(lane);
    }
    if (partition.lanes.size === 0) this.partitions.delete(log.partition);
  }

  /** A new lane of an owned partition. */
  addLane(partition: number, name: string, group: Group<T>): Lane<T> {
    const lane = createLane(partition, name, group);
    this.partitions.get(partition)!.lanes.set(name, lane);
    return lane;
  }

  /** Appends a newly fetched item to its log. */
  append(slot: Slot<T>): void {
    appendToLog(slot.log, slot);
    this.unfinished += 1;
    this.bytes += bytesOf(slot.item);
  }

  /** Marks an item of an owned log finished. */
  finish(slot: Slot<T>): void {
    this.bytes -= bytesOf(slot.item);
    finishInLog(slot.log, slot);
    this.unfinished -= 1;
  }

  /** Called after something of the lane was taken away. */
  forgetIfEmpty(lane: Lane<T>): void {
    if (lane.out > 0 || lane.first !== null) return;
    const partition = this.partitions.get(lane.partition)!;
    partition.lanes.delete(lane.name);
    if (partition.log === null && partition.lanes.size === 0) this.partitions.delete(lane.partition);
  }
}
