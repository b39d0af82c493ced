import { createFifo } from './fifo';
import type { Group, Lane } from './lane-model';

/** Decides which lane is next: groups take turns, and the lanes of a group take turns within it. */
export interface GroupRing<T> {
  /** Counts one fetched item in. */
  enter(name: string): Group<T>;
  /** Counts one item out: finished or forgotten. */
  leave(group: Group<T>): void;
  /** Queues a lane that is not busy and has something to do. */
  queue(lane: Lane<T>): void;
  /**
   * The lane whose turn it is, taken out of its queue; undefined when none may go. A group that `isFull` loses no turn: it is
   * asked again after `endTurns`.
   */
  next(isFull: (group: string) => boolean): Lane<T> | undefined;
  endTurns(): void;
  /** Drops the lanes whose `queued` flag was cleared. */
  sweep(): void;
  blockGroup(name: string): void;
  unblockGroup(name: string): void;
  size(): number;
}

/** A ring without groups. A group exists while it has unfinished items; a block stays until it is removed. */
export function createGroupRing<T>(): GroupRing<T> {
  const groups = new Map<string, Group<T>>();
  const blockedGroups = new Set<string>();
  const ring = createFifo<Group<T>>();
  const full: Group<T>[] = [];

  function enter(name: string): Group<T> {
    let group = groups.get(name);
    if (group === undefined) {
      group = { name, unfinished: 0, ready: createFifo(), inRing: false };
      groups.set(name, group);
    }
    group.unfinished += 1;
    return group;
  }

  function leave(group: Group<T>): void {
    group.unfinished -= 1;
    forgetIfGone(group);
  }

  // A group in the ring is kept until its turn, so that it cannot be in the ring twice.
  function forgetIfGone(group: Group<T>): void {
    if (group.unfinished === 0 && !group.inRing) groups.delete(group.name);
  }

  function joinRing(group: Group<T>): void {
    if (group.inRing || group.ready.size() === 0) return;
    group.inRing = true;
    ring.push(group);
  }

  function queue(lane: Lane<T>): void {
    if (lane.queued) return;
    lane.queued = true;
    lane.group.ready.push(lane);
    joinRing(lane.group);
  }

  function shiftReady(group: Group<T>): Lane<T> | undefined {
    const lane = group.ready.shift();
    if (lane !== undefined) lane.queued = false;
    return lane;
  }

  function next(isFull: (group: string) => boolean): Lane<T> | undefined {
    for (let group = ring.shift(); group !== undefined; group = ring.shift()) {
      group.inRing = false;
      if (blockedGroups.has(group.name)) {
        forgetIfGone(group);
        continue;
      }
      if (group.ready.size() > 0 && isFull(group.name)) {
        full.push(group);
        group.inRing = true;
        continue;
      }
      const lane = shiftReady(group);
      joinRing(group);
      // What it had may have been moved away.
      if (lane !== undefined && lane.first !== null) return lane;
      forgetIfGone(group);
    }
    return undefined;
  }

  function sweep(): void {
    for (const group of groups.values()) group.ready.keep((lane) => lane.queued);
    ring.keep((group) => {
      group.inRing = group.ready.size() > 0;
      forgetIfGone(group);
      return group.inRing;
    });
  }

  return {
    enter, leave, queue, next, sweep,
    endTurns: () => {
      for (const group of full.splice(0)) ring.push(group);
    },
    blockGroup: (name) => void blockedGroups.add(name),
    unblockGroup: (name) => {
      blockedGroups.delete(name);
      const group = groups.get(name);
      if (group) joinRing(group);
    },
    size: () => groups.size,
  };
}
