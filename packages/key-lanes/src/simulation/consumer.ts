import type { KeyLanes } from '../key-lanes';
import type { Work } from '../lane-item';
import { HeldRetries } from './held-retries';
import type { Prng } from './prng';
import { CALL_TICKS, type Call, type Event, type Fate, type World } from './world';

export interface ConsumerSetup {
  readonly name: string;
  readonly world: World;
  readonly prng: Prng;
  readonly lanes: KeyLanes<Fate>;
  readonly maxInFlight: number;
  readonly maxBuffered: number;
  /** Unfinished items of one group above which some of them are moved to the held store. */
  readonly maxPerGroup: number;
}

/** A partition under an epoch of this process. */
interface Owned {
  readonly epoch: bigint;
  /** The offset to fetch next. */
  position: bigint;
  paused: boolean;
}
/** A write to the store that takes effect at a tick: the outcomes of calls, or events that move to the held store. */
interface Write {
  readonly at: number;
  readonly works: Work<Fate>[];
  readonly hold: boolean;
}

/** Most events of one fetch. */
const FETCH = 10;

/**
 * One process: a small flow-runner, with calls and store writes that take a number of ticks. Owns nothing at first.
 *
 * Invariants:
 * - An item that was taken is in `running` until its call has ended, then in one of `writes` until that has landed; then it is
 *   settled. Items to be moved to the held store go straight to `writes`.
 * - A partition that is given up stays in `leaving` until no call, write or retry of it is under way here. Only then another
 *   process may get it.
 */
export class Consumer {
  readonly name: string;
  private readonly owned = new Map<number, Owned>();
  private readonly leaving = new Map<number, bigint>();
  private readonly blocked = new Set<string>();
  private readonly running = new Map<Work<Fate>, Call>();
  /** What `take` has handed out and is not settled. */
  private readonly taken = new Set<Work<Fate>>();
  private writes: Write[] = [];
  private readonly retries: HeldRetries;
  private draining = false;

  constructor(private readonly setup: ConsumerSetup) {
    this.name = setup.name;
    this.retries = new HeldRetries(setup, (partition) => this.owned.get(partition)?.epoch);
  }

  /** One tick of its life. */
  step(): void {
    this.checkLeases();
    this.endCalls();
    this.landWrites();
    this.retries.end();
    this.toggleBlocks();
    if (!this.draining) {
      this.fetch();
      this.shed();
      this.retries.start();
    }
    this.startCalls();
    this.commit();
    this.freeLeft();
  }

  /** Takes a free partition. */
  acquire(partition: number): void {
    const { world, lanes } = this.setup;
    const epoch = world.acquire(partition, this.name);
    if (epoch === null) return;
    this.retries.learn(partition);
    lanes.assign(partition, epoch);
    lanes.skipTo(partition, epoch, world.committed[partition]! - 1n);
    this.owned.set(partition, { epoch, position: world.committed[partition]!, paused: false });
    this.leaving.delete(partition);
  }

  owns(partition: number): boolean {
    return this.owned.has(partition);
  }

  /** Gives up a partition; another process may get it once nothing of it runs here. */
  revoke(partition: number): void {
    this.leaving.set(partition, this.owned.get(partition)!.epoch);
    this.giveUp(partition);
  }

  drain(): void {
    this.draining = true;
    this.setup.lanes.drain();
  }

  /** True when nothing runs here. */
  quiet(): boolean {
    return this.setup.lanes.idle() && !this.retries.active();
  }

  /** A process that lost its partition (it slept too long) starts nothing for it any more. */
  private checkLeases(): void {
    const { owners } = this.setup.world;
    for (const partition of [...this.owned.keys()]) if (owners[partition]!.consumer !== this.name) this.giveUp(partition);
  }

  private giveUp(partition: number): void {
    this.setup.lanes.revoke(partition);
    this.owned.delete(partition);
  }

  private endCalls(): void {
    for (const [work, call] of this.running) {
      if (call.endsAt > this.setup.world.now) continue;
      this.running.delete(work);
      const at = this.nextWriteAt();
      this.writes.push({ at, works: call.fails ? [work, ...this.followers(work)] : [work], hold: call.fails });
    }
  }

  /** The later items may stay in memory: they find their lane held when their turn comes. */
  private followers(work: Work<Fate>): Work<Fate>[] {
    return work.item.convoy || this.setup.prng.chance(0.5) ? this.setup.lanes.divertBehind(work) : [];
  }

  private landWrites(): void {
    const { now } = this.setup.world;
    const due = this.writes.filter((write) => write.at <= now);
    this.writes = this.writes.filter((write) => write.at > now);
    for (const write of due) this.land(write);
  }

  private land({ works, hold }: Write): void {
    const { world, lanes } = this.setup;
    const { epoch, item: { partition, lane } } = works[0]!;
    const accepted = world.write(partition, epoch, () => {
      for (const { item } of works) {
        if (!hold) world.done.add(item);
        else world.hold(item);
      }
    });
    const isOwner = this.owned.get(partition)?.epoch === epoch;
    if (!accepted && isOwner) this.giveUp(partition);
    if (accepted && hold && isOwner) this.retries.add(lane);
    for (const work of works) {
      this.taken.delete(work);
      lanes.complete(work);
    }
  }

  private toggleBlocks(): void {
    const { prng, lanes } = this.setup;
    for (const group of this.blocked) {
      if (!prng.chance(0.2)) continue;
      this.blocked.delete(group);
      lanes.unblockGroup(group);
    }
    if (!prng.chance(0.05)) return;
    const group = `g${prng.int(3)}`;
    this.blocked.add(group);
    lanes.blockGroup(group);
  }

  private fetch(): void {
    const { prng, lanes, maxBuffered } = this.setup;
    for (const [partition, owner] of this.owned) {
      if (lanes.shouldPause(partition)) owner.paused = true;
      else if (lanes.shouldResume(partition)) owner.paused = false;
      if (owner.paused || prng.chance(0.3)) continue;
      if (!this.fetchFrom(partition, owner)) continue;
      const { buffered } = lanes.stats();
      if (buffered > (maxBuffered + FETCH) * this.owned.size) throw new Error(`bound: ${buffered} items buffered`);
    }
  }

  /** False: there was nothing to fetch. */
  private fetchFrom(partition: number, owner: Owned): boolean {
    const { world, prng, lanes } = this.setup;
    if (prng.chance(0.05)) owner.position = world.committed[partition]!;
    const events = world.read(partition, owner.position, 1 + prng.int(FETCH));
    if (events.length === 0) return false;
    const fresh = events.filter((event) => !world.done.has(event) && !world.held.get(event.lane)?.includes(event));
    lanes.add(events, partition, owner.epoch - 1n);
    lanes.add(fresh, partition, owner.epoch);
    owner.position = events.at(-1)!.offset + 1n;
    lanes.skipTo(partition, owner.epoch, events.at(-1)!.offset);
    return true;
  }

  /** Moves items of a group that has too many to the held store. */
  private shed(): void {
    const { prng, lanes, maxPerGroup } = this.setup;
    const groups = [...this.owned.keys()].flatMap((partition) =>
      [...lanes.unfinishedByGroup(partition)].map(([group, items]) => ({ partition, group, items })));
    for (const { partition, group, items } of groups) {
      if (items.length <= maxPerGroup) continue;
      const diverted = byLane(lanes.divertGroup(partition, group, items[prng.int(items.length)]!.offset));
      for (const works of diverted.values()) this.moveToHeld(works);
    }
  }

  private startCalls(): void {
    const { prng, lanes, maxInFlight } = this.setup;
    const works = lanes.take(1 + prng.int(6));
    works.forEach((work) => this.taken.add(work));
    if (this.taken.size > maxInFlight) throw new Error(`bound: ${this.taken.size} items in flight`);
    const batches = byLane(works);
    for (const work of works) {
      this.judge(work);
      this.startCall(work, batches.get(work.item.lane)!);
    }
  }

  /** Throws when the item may not have been handed out. */
  private judge({ epoch, item: { lane, group, partition } }: Work<Fate>): void {
    if (this.blocked.has(group)) throw new Error(`block: ${lane} of ${group} was taken`);
    if (this.owned.get(partition)?.epoch !== epoch) throw new Error(`epoch: ${lane} was taken without owning ${partition}`);
  }

  private startCall(work: Work<Fate>, together: readonly Work<Fate>[]): void {
    const { world, prng, lanes } = this.setup;
    if (this.retries.has(work.item.lane)) this.moveToHeld([work]);
    else if (prng.chance(0.05)) {
      this.taken.delete(work);
      lanes.release(work);
    } else {
      const batch = new Set<Event>(together.map(({ item }) => item));
      this.running.set(work, world.startCall(work.item, batch, 1 + prng.int(CALL_TICKS)));
    }
  }

  private moveToHeld(works: Work<Fate>[]): void {
    this.writes.push({ at: this.nextWriteAt(), works, hold: true });
  }

  private nextWriteAt(): number {
    return this.setup.world.now + this.setup.prng.int(3);
  }

  private commit(): void {
    const { world, prng, lanes } = this.setup;
    for (const [partition, { epoch }] of this.owned) {
      const offset = lanes.committable(partition);
      if (offset !== null && prng.chance(0.5)) world.commit(partition, epoch, offset);
    }
  }

  private freeLeft(): void {
    const { owners } = this.setup.world;
    for (const [partition, epoch] of this.leaving) {
      const works = [...this.running.keys(), ...this.writes.flatMap((write) => write.works)];
      if (works.some((work) => work.item.partition === partition) || this.retries.runsIn(partition)) continue;
      this.leaving.delete(partition);
      if (owners[partition]!.epoch === epoch) owners[partition]!.consumer = null;
    }
  }
}

function byLane(works: readonly Work<Fate>[]): Map<string, Work<Fate>[]> {
  const groups = new Map<string, Work<Fate>[]>();
  for (const work of works) groups.set(work.item.lane, [...(groups.get(work.item.lane) ?? []), work]);
  return groups;
}
