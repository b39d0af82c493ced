import { createGroupRing } from './group-ring';
import { checkedBounds, type KeyLanesOptions } from './key-lanes-options';
import { appendToLane, createLane, cutLane, emptyLane, putBackReturned, runLength, shiftLane } from './lane';
import type { KeyLanes, KeyLanesStats } from './key-lanes';
import { bytesOf, type LaneItem, type Work } from './lane-item';
import type { Lane, PartitionLog, Slot, Ticket } from './lane-model';
import { appendToLog, committableOf, createPartitionLog, finishInLog, unfinishedOf } from './partition-log';
import { createPlaces } from './places';

/** A lane with orphans is kept beyond the ownership of its partition. */
interface Partition<T> {
  log: PartitionLog<T> | null;
  readonly lanes: Map<string, Lane<T>>;
}

/** Lanes that own nothing yet. Throws a RangeError on bounds that make no sense. */
export function createKeyLanes<T>(options: KeyLanesOptions): KeyLanes<T> {
  const bounds = checkedBounds(options);
  const partitions = new Map<number, Partition<T>>();
  const ring = createGroupRing<T>(bounds);
  const places = createPlaces(bounds);
  let diverted = 0;
  let orphans = 0;
  let unfinished = 0;
  let bytes = 0;
  let draining = false;

  const logOf = (partition: number): PartitionLog<T> | null => partitions.get(partition)?.log ?? null;

  /** The share of one partition in a bound for all partitions. */
  const shareOf = (bound: number): number => bound / [...partitions.values()].filter(({ log }) => log !== null).length;

  function assign(partition: number, epoch: bigint): void {
    const log = logOf(partition);
    if (log !== null && epoch <= log.epoch) return;
    if (log !== null) revoke(partition);
    const lanes = partitions.get(partition)?.lanes ?? new Map<string, Lane<T>>();
    partitions.set(partition, { log: createPartitionLog(partition, epoch), lanes });
  }

  function revoke(partition: number): LaneItem<T>[] {
    const owned = partitions.get(partition);
    const log = owned?.log;
    if (!owned || !log) return [];
    const out: LaneItem<T>[] = [];
    for (const slot of unfinishedOf(log)) {
      ring.leave(slot.lane.group, bytesOf(slot.item));
      if (slot.ticket !== null) out.push(slot.item);
    }
    unfinished -= log.unfinished;
    bytes -= log.bytes;
    orphans += out.length;
    log.revoked = true;
    owned.log = null;
    for (const lane of owned.lanes.values()) {
      emptyLane(lane);
      lane.queued = false;
      forgetIfEmpty(lane, owned);
    }
    if (owned.lanes.size === 0) partitions.delete(partition);
    ring.sweep();
    return out;
  }

  function add(items: readonly LaneItem<T>[], partition: number, epoch: bigint): number {
    const owned = partitions.get(partition);
    const log = owned?.log;
    if (!owned || !log || log.epoch !== epoch) return 0;
    const seen = log.highestSeen;
    let before: bigint | null = null;
    let added = 0;
    for (const item of items) {
      if (item.partition !== partition) throw new Error(`key-lanes: item of partition ${item.partition} added to ${partition}`);
      if (before !== null && item.offset <= before) throw new Error(`key-lanes: offset ${item.offset} added after ${before}`);
      before = item.offset;
      if (seen !== null && item.offset <= seen) continue;
      addOne(item, log, owned.lanes);
      added += 1;
    }
    return added;
  }

  function addOne(item: LaneItem<T>, log: PartitionLog<T>, lanes: Map<string, Lane<T>>): void {
    let lane = lanes.get(item.lane);
    if (lane !== undefined && lane.group.name !== item.group) throw new Error(`key-lanes: lane ${item.lane} has two groups`);
    const group = ring.enter(item.group, bytesOf(item));
    if (lane === undefined) {
      lane = createLane(log.partition, item.lane, group);
      lanes.set(item.lane, lane);
    }
    lane.group = group;
    const slot: Slot<T> = { offset: item.offset, item, lane, log, ticket: null, nextInLane: null, nextInLog: null };
    appendToLog(log, slot);
    appendToLane(lane, slot);
    unfinished += 1;
    bytes += bytesOf(item);
    if (lane.out === 0) ring.queue(lane);
  }

  function take(max: number): Work<T>[] {
    const works: Ticket<T>[] = [];
    if (draining) return works;
    const isFull = (group: string): boolean => places.room(group) < 1;
    for (let room = Math.min(max, bounds.maxInFlight - places.taken()); room >= 1;) {
      const lane = ring.next(isFull);
      if (lane === undefined) break;
      // Some of it is being moved away: it is queued again once that has settled.
      if (lane.out > 0) continue;
      const { name } = lane.group;
      const count = runLength(lane, Math.min(room, places.room(name), bounds.maxConvoy));
      const pool = places.take(name, count);
      for (let left = count; left > 0; left -= 1) works.push(ticketOf(shiftLane(lane)!, { diverted: false, pool }));
      room -= count;
    }
    ring.endTurns();
    return works;
  }

  function ticketOf(slot: Slot<T>, how: Pick<Ticket<T>, 'diverted' | 'pool'>): Ticket<T> {
    slot.lane.out += 1;
    slot.ticket = { item: slot.item!, epoch: slot.log.epoch, slot, ...how };
    return slot.ticket;
  }

  function divert(slot: Slot<T>): Ticket<T> {
    diverted += 1;
    return ticketOf(slot, { diverted: true, pool: null });
  }

  function divertBehind(work: Work<T>): Work<T>[] {
    const { slot } = work as Ticket<T>;
    if (draining || slot.ticket !== work || slot.log.revoked) return [];
    putBackReturned(slot.lane);
    return cutLane(slot.lane, 0n).map(divert);
  }

  function divertGroup(partition: number, group: string, from: bigint): Work<T>[] {
    const log = logOf(partition);
    if (draining || log === null) return [];
    const lanes = new Set<Lane<T>>();
    for (const { item, offset, ticket, lane } of unfinishedOf(log))
      if (ticket === null && offset >= from && item.group === group) lanes.add(lane);
    const slots = [...lanes].flatMap((lane) => {
      putBackReturned(lane);
      return cutLane(lane, from);
    });
    return slots.sort((a, b) => (a.offset < b.offset ? -1 : 1)).map(divert);
  }

  // Frees one item in flight, and the slot too when this ticket is its present one.
  function settle(work: Work<T>): Slot<T> | null {
    const ticket = work as Ticket<T>;
    const { slot } = ticket;
    if (slot.ticket !== ticket) return null;
    slot.ticket = null;
    if (ticket.diverted) diverted -= 1;
    else places.free(ticket.item.group, ticket.pool);
    slot.lane.out -= 1;
    return slot;
  }

  // The lane continues once everything handed out has settled.
  function goOn(lane: Lane<T>): void {
    if (lane.out > 0) return;
    putBackReturned(lane);
    if (lane.first !== null) ring.queue(lane);
    else forgetIfEmpty(lane, partitions.get(lane.partition)!);
  }

  function forgetIfEmpty(lane: Lane<T>, owner: Partition<T>): void {
    if (lane.out > 0 || lane.first !== null) return;
    owner.lanes.delete(lane.name);
    if (owner.log === null && owner.lanes.size === 0) partitions.delete(lane.partition);
  }

  function complete(work: Work<T>): boolean {
    const slot = settle(work);
    if (slot === null) return false;
    const counts = !slot.log.revoked;
    if (counts) {
      const freed = bytesOf(slot.item);
      finishInLog(slot.log, slot);
      unfinished -= 1;
      bytes -= freed;
      ring.leave(slot.lane.group, freed);
    } else {
      orphans -= 1;
    }
    goOn(slot.lane);
    return counts;
  }

  function release(work: Work<T>): boolean {
    const slot = settle(work);
    if (slot === null) return false;
    const counts = !slot.log.revoked;
    if (counts) slot.lane.returned.push(slot);
    else orphans -= 1;
    goOn(slot.lane);
    return counts;
  }

  function stats(): KeyLanesStats {
    let lanes = 0;
    let owned = 0;
    for (const partition of partitions.values()) {
      lanes += partition.lanes.size;
      if (partition.log !== null) owned += 1;
    }
    const inFlight = places.taken();
    const buffered = unfinished - (inFlight + diverted - orphans);
    return { inFlight, diverted, orphans, buffered, lanes, groups: ring.size(), partitions: owned };
  }

  return {
    assign, revoke, add, take, divertBehind, divertGroup, complete, release, stats,
    skipTo: (partition, epoch, offset) => {
      const log = logOf(partition);
      if (log?.epoch === epoch && (log.highestSeen === null || offset > log.highestSeen)) log.highestSeen = offset;
    },
    blockGroup: ring.blockGroup,
    unblockGroup: ring.unblockGroup,
    overflow: ring.overflow,
    isClearBefore: (partition, name, offset) => {
      const seen = logOf(partition)?.highestSeen ?? null;
      if (seen === null || seen < offset - 1n) return false;
      const lane = partitions.get(partition)!.lanes.get(name);
      return lane === undefined || (lane.out === 0 && (lane.first === null || lane.first.offset > offset));
    },
    seen: (partition) => logOf(partition)?.highestSeen ?? null,
    committable: (partition) => {
      const log = logOf(partition);
      return log && committableOf(log);
    },
    shouldPause: (partition) => {
      const log = logOf(partition);
      if (log === null) return false;
      const isOver = unfinished >= bounds.maxTotal && log.unfinished >= shareOf(bounds.maxTotal);
      const isHeavy = bytes >= bounds.maxTotalBytes && log.bytes >= shareOf(bounds.maxTotalBytes);
      if (isHeavy || log.bytes >= bounds.maxBytes) return true;
      return isOver || log.unfinished >= bounds.maxBuffered || log.window >= bounds.maxWindow;
    },
    shouldResume: (partition) => {
      const log = logOf(partition);
      if (log === null) return false;
      const isBelow = unfinished <= bounds.maxTotal / 2 || log.unfinished <= shareOf(bounds.maxTotal) / 2;
      const isLight = bytes <= bounds.maxTotalBytes / 2 || log.bytes <= shareOf(bounds.maxTotalBytes) / 2;
      if (!isLight || log.bytes > bounds.maxBytes / 2) return false;
      return isBelow && log.unfinished <= bounds.maxBuffered / 2 && log.window <= bounds.maxWindow / 2;
    },
    unfinishedByGroup: (partition) => {
      const groups = new Map<string, LaneItem<T>[]>();
      const log = logOf(partition);
      for (const { item } of log ? unfinishedOf(log) : []) {
        const items = groups.get(item.group);
        if (items) items.push(item);
        else groups.set(item.group, [item]);
      }
      return groups;
    },
    unfinishedOfGroup: (partition, group) => {
      const log = logOf(partition);
      return log ? [...unfinishedOf(log)].filter(({ item }) => item.group === group).map(({ item }) => item) : [];
    },
    drain: () => {
      draining = true;
    },
    idle: () => places.taken() + diverted === 0 && (draining || unfinished === 0),
  };
}
