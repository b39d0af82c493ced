import type { KeyLanes } from '../key-lanes';
import type { Work } from '../lane-item';
import type { Prng } from './prng';
import { CALL_TICKS, type Call, type Event, type Fate, type World } from './world';

export interface ConsumerSetup {
  readonly name: string;
  readonly world: World;
  readonly prng: Prng;
  readonly lanes: KeyLanes<Fate>;
  readonly maxInFlight: number;
  readonly maxBuffered: number;
}

/** One process: a small flow-runner, with calls and store writes that take a number of ticks. */
export interface Consumer {
  readonly name: string;
  step(): void;
  /** Takes a free partition. */
  acquire(partition: number): void;
  owns(partition: number): boolean;
  /** Gives up a partition; another process may get it once nothing of it runs here. */
  revoke(partition: number): void;
  drain(): void;
  /** True when nothing runs here. */
  quiet(): boolean;
}

interface Owned {
  readonly epoch: bigint;
  position: bigint;
  paused: boolean;
}
interface Write {
  readonly at: number;
  readonly works: Work<Fate>[];
  readonly hold: boolean;
}

const FETCH = 10;

function byLane(works: readonly Work<Fate>[]): Map<string, Work<Fate>[]> {
  const groups = new Map<string, Work<Fate>[]>();
  for (const work of works) groups.set(work.item.lane, [...(groups.get(work.item.lane) ?? []), work]);
  return groups;
}

/** A process that owns nothing yet. */
export function createConsumer(setup: ConsumerSetup): Consumer {
  const { name, world, prng, lanes } = setup;
  const owned = new Map<number, Owned>();
  const leaving = new Map<number, bigint>();
  const heldLanes = new Set<string>();
  const blocked = new Set<string>();
  const running = new Map<Work<Fate>, Call>();
  const retries = new Map<string, { call: Call; epoch: bigint }>();
  const taken = new Set<Work<Fate>>();
  let writes: Write[] = [];
  let draining = false;

  function acquire(partition: number): void {
    const epoch = world.acquire(partition, name);
    if (epoch === null) return;
    for (const event of world.log[partition]!) heldLanes.delete(event.lane);
    for (const [lane, events] of world.held) if (events[0]!.partition === partition) heldLanes.add(lane);
    lanes.assign(partition, epoch);
    lanes.skipTo(partition, epoch, world.committed[partition]! - 1n);
    owned.set(partition, { epoch, position: world.committed[partition]!, paused: false });
    leaving.delete(partition);
  }

  function giveUp(partition: number): void {
    lanes.revoke(partition);
    owned.delete(partition);
  }

  function revoke(partition: number): void {
    leaving.set(partition, owned.get(partition)!.epoch);
    giveUp(partition);
  }

  function endCalls(): void {
    for (const [work, call] of running) {
      if (call.endsAt > world.now) continue;
      running.delete(work);
      if (!call.fails) writes.push({ at: world.now + prng.int(3), works: [work], hold: false });
      else writes.push({ at: world.now + prng.int(3), works: [work, ...followers(work)], hold: true });
    }
  }

  // The later items may stay in memory: they find their lane held when their turn comes.
  function followers(work: Work<Fate>): Work<Fate>[] {
    return work.item.convoy || prng.chance(0.5) ? lanes.divertBehind(work) : [];
  }

  function land(write: Write): void {
    const [first] = write.works;
    const { epoch, item: { partition } } = first!;
    const accepted = world.write(partition, epoch, () => {
      for (const { item } of write.works) {
        if (!write.hold) world.done.add(item);
        else world.hold(item);
      }
    });
    if (!accepted && owned.get(partition)?.epoch === epoch) giveUp(partition);
    if (accepted && write.hold && owned.get(partition)?.epoch === epoch) heldLanes.add(first!.item.lane);
    for (const work of write.works) settle(work);
  }

  function settle(work: Work<Fate>): void {
    taken.delete(work);
    lanes.complete(work);
  }

  function landWrites(): void {
    const due = writes.filter((write) => write.at <= world.now);
    writes = writes.filter((write) => write.at > world.now);
    due.forEach(land);
  }

  function endRetries(): void {
    for (const [lane, { call, epoch }] of retries) {
      if (call.endsAt > world.now) continue;
      retries.delete(lane);
      const { event } = call;
      if (call.fails) continue;
      world.write(event.partition, epoch, () => {
        world.done.add(event);
        const rest = world.held.get(lane)!.filter((other) => other !== event);
        if (rest.length > 0) world.held.set(lane, rest);
        else {
          world.held.delete(lane);
          if (owned.get(event.partition)?.epoch === epoch) heldLanes.delete(lane);
        }
      });
    }
  }

  function startRetries(): void {
    for (const lane of heldLanes) {
      const head = world.held.get(lane)?.[0];
      const owner = head && owned.get(head.partition);
      if (!head || !owner || retries.has(lane) || prng.chance(0.6)) continue;
      if (!lanes.isClearBefore(head.partition, lane, head.offset)) continue;
      retries.set(lane, { call: world.startCall(head, new Set([head]), 1 + prng.int(CALL_TICKS)), epoch: owner.epoch });
    }
  }

  function fetch(): void {
    for (const [partition, owner] of owned) {
      if (lanes.shouldPause(partition)) owner.paused = true;
      else if (lanes.shouldResume(partition)) owner.paused = false;
      if (owner.paused || prng.chance(0.3)) continue;
      if (prng.chance(0.05)) owner.position = world.committed[partition]!;
      const events = world.read(partition, owner.position, 1 + prng.int(FETCH));
      if (events.length === 0) continue;
      const fresh = events.filter((event) => !world.done.has(event) && !world.held.get(event.lane)?.includes(event));
      lanes.add(events, partition, owner.epoch - 1n);
      lanes.add(fresh, partition, owner.epoch);
      owner.position = events.at(-1)!.offset + 1n;
      lanes.skipTo(partition, owner.epoch, events.at(-1)!.offset);
      const { buffered } = lanes.stats();
      if (buffered > (setup.maxBuffered + FETCH) * owned.size) throw new Error(`bound: ${buffered} items buffered`);
    }
  }

  function start(): void {
    const works = lanes.take(1 + prng.int(6));
    works.forEach((work) => taken.add(work));
    if (taken.size > setup.maxInFlight) throw new Error(`bound: ${taken.size} items in flight`);
    const batches = byLane(works);
    for (const work of works) {
      const { lane, group, partition } = work.item;
      if (blocked.has(group)) throw new Error(`block: ${lane} of ${group} was taken`);
      if (owned.get(partition)?.epoch !== work.epoch) throw new Error(`epoch: ${lane} was taken without owning ${partition}`);
      if (heldLanes.has(lane)) writes.push({ at: world.now + prng.int(3), works: [work], hold: true });
      else if (prng.chance(0.05)) {
        taken.delete(work);
        lanes.release(work);
      } else {
        const batch = new Set<Event>(batches.get(lane)!.map(({ item }) => item));
        running.set(work, world.startCall(work.item, batch, 1 + prng.int(CALL_TICKS)));
      }
    }
  }

  function shed(): void {
    const groups = lanes.overflow();
    const places = [...owned.keys()].flatMap((partition) => groups.map((group) => ({ partition, group })));
    for (const { partition, group } of places) {
      const items = lanes.unfinishedOfGroup(partition, group);
      if (items.length === 0) continue;
      const diverted = byLane(lanes.divertGroup(partition, group, items[prng.int(items.length)]!.offset));
      for (const works of diverted.values()) writes.push({ at: world.now + prng.int(3), works, hold: true });
    }
  }

  function toggleBlocks(): void {
    for (const group of blocked) {
      if (!prng.chance(0.2)) continue;
      blocked.delete(group);
      lanes.unblockGroup(group);
    }
    if (!prng.chance(0.05)) return;
    const group = `g${prng.int(3)}`;
    blocked.add(group);
    lanes.blockGroup(group);
  }

  // A process that lost its partition (it slept too long) starts nothing for it any more.
  function checkLeases(): void {
    for (const partition of [...owned.keys()]) if (world.owners[partition]!.consumer !== name) giveUp(partition);
  }

  function freeLeft(): void {
    for (const [partition, epoch] of leaving) {
      const works = [...running.keys(), ...writes.flatMap((write) => write.works)];
      const calls = [...retries.values()].map(({ call }) => call.event.partition);
      if (works.some((work) => work.item.partition === partition) || calls.includes(partition)) continue;
      leaving.delete(partition);
      if (world.owners[partition]!.epoch === epoch) world.owners[partition]!.consumer = null;
    }
  }

  function step(): void {
    checkLeases();
    endCalls();
    landWrites();
    endRetries();
    toggleBlocks();
    if (!draining) {
      fetch();
      shed();
      startRetries();
    }
    start();
    for (const [partition, { epoch }] of owned) {
      const offset = lanes.committable(partition);
      if (offset !== null && prng.chance(0.5)) world.commit(partition, epoch, offset);
    }
    freeLeft();
  }

  return {
    name, step, acquire, revoke,
    owns: (partition) => owned.has(partition),
    drain: () => {
      draining = true;
      lanes.drain();
    },
    quiet: () => lanes.idle() && retries.size === 0,
  };
}
