import { mayResume, mustPause } from './fetch-bounds';
import { createGroupRing, type GroupRing } from './group-ring';
import type { KeyLanes, KeyLanesStats } from './key-lanes';
import { checkedBounds, type KeyLanesBounds, type KeyLanesOptions } from './key-lanes-options';
import { appendToLane, cutLane, putBackReturned, runLength, shiftLane } from './lane';
import type { LaneItem, Work } from './lane-item';
import type { Lane, PartitionLog, Slot, Ticket } from './lane-model';
import { committableOf, unfinishedOf } from './partition-log';
import { Partitions } from './partitions';
import { createPlaces, type Places } from './places';

/** Lanes that own nothing yet. Throws a RangeError on bounds that make no sense. */
export function createKeyLanes<T>(options: KeyLanesOptions): KeyLanes<T> {
  return new OrderedLanes<T>(checkedBounds(options));
}

/**
 * `partitions` has what was fetched, `ring` the lanes whose turn comes, `places` the items in flight.
 *
 * Invariants:
 * - An item is handed out while its slot has a ticket. Then its lane counts it in `out`, and either it has a place or it is one
 *   of `diverted`. If its log was revoked it is also one of `orphans`.
 * - Of a lane with items handed out `take` hands out nothing. When the last of them settles, the lane is queued in the ring if
 *   something waits, else it is forgotten.
 * - A slot waits in its lane until it is handed out. When it is released it waits there again, before everything later.
 */
class OrderedLanes<T> implements KeyLanes<T> {
  private readonly partitions = new Partitions<T>();
  private readonly ring: GroupRing<T>;
  private readonly places: Places;
  private diverted = 0;
  private orphans = 0;
  private draining = false;
  private readonly isFull = (group: string): boolean => this.places.room(group) < 1;

  constructor(private readonly bounds: KeyLanesBounds) {
    this.ring = createGroupRing<T>();
    this.places = createPlaces(bounds);
  }

  assign(partition: number, epoch: bigint): void {
    const log = this.partitions.logOf(partition);
    if (log !== null && epoch <= log.epoch) return;
    if (log !== null) this.revoke(partition);
    this.partitions.own(partition, epoch);
  }

  revoke(partition: number): LaneItem<T>[] {
    const log = this.partitions.logOf(partition);
    if (log === null) return [];
    const out: LaneItem<T>[] = [];
    for (const slot of unfinishedOf(log)) {
      this.ring.leave(slot.lane.group);
      if (slot.ticket !== null) out.push(slot.item);
    }
    this.orphans += out.length;
    this.partitions.disown(log);
    this.ring.sweep();
    return out;
  }

  add(items: readonly LaneItem<T>[], partition: number, epoch: bigint): number {
    const log = this.partitions.logOf(partition);
    if (log?.epoch !== epoch) return 0;
    const seen = log.highestSeen;
    let before: bigint | null = null;
    let added = 0;
    for (const item of items) {
      if (item.partition !== partition) throw new Error(`key-lanes: item of partition ${item.partition} added to ${partition}`);
      if (before !== null && item.offset <= before) throw new Error(`key-lanes: offset ${item.offset} added after ${before}`);
      before = item.offset;
      if (seen !== null && item.offset <= seen) continue;
      this.addOne(item, log);
      added += 1;
    }
    return added;
  }

  private addOne(item: LaneItem<T>, log: PartitionLog<T>): void {
    const known = this.partitions.laneOf(log.partition, item.lane);
    if (known !== undefined && known.group.name !== item.group) throw new Error(`key-lanes: lane ${item.lane} has two groups`);
    const group = this.ring.enter(item.group);
    const lane = known ?? this.partitions.addLane(log.partition, item.lane, group);
    lane.group = group;
    const slot: Slot<T> = { offset: item.offset, item, lane, log, ticket: null, nextInLane: null, nextInLog: null };
    this.partitions.append(slot);
    appendToLane(lane, slot);
    if (lane.out === 0) this.ring.queue(lane);
  }

  skipTo(partition: number, epoch: bigint, offset: bigint): void {
    const log = this.partitions.logOf(partition);
    if (log?.epoch === epoch && (log.highestSeen === null || offset > log.highestSeen)) log.highestSeen = offset;
  }

  take(max: number): Work<T>[] {
    const { ring, places, bounds } = this;
    const works: Ticket<T>[] = [];
    if (this.draining) return works;
    for (let room = Math.min(max, bounds.maxInFlight - places.taken()); room >= 1;) {
      const lane = ring.next(this.isFull);
      if (lane === undefined) break;
      // Some of it is being moved away: it is queued again once that has settled.
      if (lane.out > 0) continue;
      const { name } = lane.group;
      const count = runLength(lane, Math.min(room, places.room(name), bounds.maxConvoy));
      const pool = places.take(name, count);
      for (let left = count; left > 0; left -= 1) works.push(handOut(shiftLane(lane)!, { diverted: false, pool }));
      room -= count;
    }
    ring.endTurns();
    return works;
  }

  divertBehind(work: Work<T>): Work<T>[] {
    const { slot } = work as Ticket<T>;
    if (this.draining || slot.ticket !== work || slot.log.revoked) return [];
    putBackReturned(slot.lane);
    return this.divert(cutLane(slot.lane, 0n));
  }

  divertGroup(partition: number, group: string, from: bigint): Work<T>[] {
    const log = this.partitions.logOf(partition);
    if (this.draining || log === null) return [];
    const lanes = new Set<Lane<T>>();
    for (const { item, offset, ticket, lane } of unfinishedOf(log))
      if (ticket === null && offset >= from && item.group === group) lanes.add(lane);
    const slots = [...lanes].flatMap((lane) => {
      putBackReturned(lane);
      return cutLane(lane, from);
    });
    return this.divert(slots.sort((a, b) => (a.offset < b.offset ? -1 : 1)));
  }

  private divert(slots: readonly Slot<T>[]): Ticket<T>[] {
    this.diverted += slots.length;
    return slots.map((slot) => handOut(slot, { diverted: true, pool: null }));
  }

  complete(work: Work<T>): boolean {
    const slot = this.settle(work);
    if (slot === null) return false;
    const counts = !slot.log.revoked;
    if (counts) {
      this.ring.leave(slot.lane.group);
      this.partitions.finish(slot);
    } else this.orphans -= 1;
    this.goOn(slot.lane);
    return counts;
  }

  release(work: Work<T>): boolean {
    const slot = this.settle(work);
    if (slot === null) return false;
    const counts = !slot.log.revoked;
    if (counts) slot.lane.returned.push(slot);
    else this.orphans -= 1;
    this.goOn(slot.lane);
    return counts;
  }

  /** Ends a hand-out. Returns its slot; null: the ticket is not the present one of its slot. */
  private settle(work: Work<T>): Slot<T> | null {
    const ticket = work as Ticket<T>;
    const { slot } = ticket;
    if (slot.ticket !== ticket) return null;
    slot.ticket = null;
    if (ticket.diverted) this.diverted -= 1;
    else this.places.free(ticket.item.group, ticket.pool);
    slot.lane.out -= 1;
    return slot;
  }

  /** The lane continues once everything handed out has settled. */
  private goOn(lane: Lane<T>): void {
    if (lane.out > 0) return;
    putBackReturned(lane);
    if (lane.first !== null) this.ring.queue(lane);
    else this.partitions.forgetIfEmpty(lane);
  }

  blockGroup(group: string): void {
    this.ring.blockGroup(group);
  }

  unblockGroup(group: string): void {
    this.ring.unblockGroup(group);
  }

  isClearBefore(partition: number, name: string, offset: bigint): boolean {
    const seen = this.seen(partition);
    if (seen === null || seen < offset - 1n) return false;
    const lane = this.partitions.laneOf(partition, name);
    return lane === undefined || (lane.out === 0 && (lane.first === null || lane.first.offset > offset));
  }

  seen(partition: number): bigint | null {
    return this.partitions.logOf(partition)?.highestSeen ?? null;
  }

  committable(partition: number): bigint | null {
    const log = this.partitions.logOf(partition);
    return log && committableOf(log);
  }

  shouldPause(partition: number): boolean {
    const log = this.partitions.logOf(partition);
    return log !== null && mustPause(log, this.partitions, this.bounds);
  }

  shouldResume(partition: number): boolean {
    const log = this.partitions.logOf(partition);
    return log !== null && mayResume(log, this.partitions, this.bounds);
  }

  drain(): void {
    this.draining = true;
  }

  idle(): boolean {
    return this.places.taken() + this.diverted === 0 && (this.draining || this.partitions.unfinished === 0);
  }

  unfinishedByGroup(partition: number): Map<string, LaneItem<T>[]> {
    const groups = new Map<string, LaneItem<T>[]>();
    for (const item of this.unfinishedItems(partition)) {
      const items = groups.get(item.group);
      if (items) items.push(item);
      else groups.set(item.group, [item]);
    }
    return groups;
  }

  unfinishedOfGroup(partition: number, group: string): LaneItem<T>[] {
    return [...this.unfinishedItems(partition)].filter((item) => item.group === group);
  }

  private* unfinishedItems(partition: number): Generator<LaneItem<T>> {
    const log = this.partitions.logOf(partition);
    if (log !== null) for (const { item } of unfinishedOf(log)) yield item;
  }

  stats(): KeyLanesStats {
    const { partitions, places, ring, diverted, orphans } = this;
    const inFlight = places.taken();
    const buffered = partitions.unfinished - (inFlight + diverted - orphans);
    return {
      inFlight, diverted, orphans, buffered,
      lanes: partitions.countLanes(), groups: ring.size(), partitions: partitions.owned,
    };
  }
}

function handOut<T>(slot: Slot<T>, how: Pick<Ticket<T>, 'diverted' | 'pool'>): Ticket<T> {
  slot.lane.out += 1;
  slot.ticket = { item: slot.item!, epoch: slot.log.epoch, slot, ...how };
  return slot.ticket;
}
