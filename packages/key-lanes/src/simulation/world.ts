import type { LaneItem } from '../lane-item';

/** What happens to an event: so many attempts fail before one lands. */
export interface Fate {
  failures: number;
}
export type Event = LaneItem<Fate>;

/** Calls that started at the same moment out of one lane. */
export type Batch = ReadonlySet<Event>;

/** A call under way. It takes effect even when the process that started it crashes. */
export interface Call {
  readonly event: Event;
  readonly batch: Batch;
  readonly endsAt: number;
  readonly fails: boolean;
}

/** No call takes longer than this many ticks: a new owner waits so long for the calls of a dead one. */
export const CALL_TICKS = 8;

/**
 * Everything that outlives a process: the log, the committed offsets, the fenced store of outcomes and held events, ownership,
 * and the called system. It checks every call and every commit, and throws on the first wrong one.
 */
export interface World {
  now: number;
  readonly log: Event[][];
  readonly done: Set<Event>;
  readonly held: Map<string, Event[]>;
  readonly committed: bigint[];
  readonly owners: { consumer: string | null; epoch: bigint; freeAt: number }[];
  append(event: Event): void;
  /** Takes a free partition; the new epoch, or null while it is not free. */
  acquire(partition: number, consumer: string): bigint | null;
  startCall(event: Event, batch: Batch, ticks: number): Call;
  /** Runs a write of an owner; false, and nothing happens, when its epoch is old. */
  write(partition: number, epoch: bigint, change: () => void): boolean;
  hold(event: Event): void;
  commit(partition: number, epoch: bigint, offset: bigint): void;
  tick(): void;
  /** Up to `max` events from a position on. */
  read(partition: number, from: bigint, max: number): Event[];
  /** Events that are not done. */
  unfinished(): number;
}

const name = (event: Event) => `${event.lane}@${event.partition}/${event.offset}`;

// One writes what the other writes or needs.
function collide(a: Event, b: Event): boolean {
  const touchedBy = ({ touches }: Event) => [...(touches?.writes ?? []), ...(touches?.reads ?? [])];
  return [[a, b], [b, a]].some(([one, other]) => one!.touches?.writes.some((record) => touchedBy(other!).includes(record)));
}

/** The index of a position in a log with gaps. */
function indexOf(events: readonly Event[], offset: bigint): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]!.offset < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An empty world of so many partitions. */
export function createWorld(partitions: number): World {
  const lanes = new Map<string, { events: Event[]; firstOpen: number }>();
  let appended = 0;
  let calls: Call[] = [];

  function judgeStart(event: Event, batch: Batch): void {
    for (const call of calls) {
      if (call.event.lane !== event.lane) continue;
      if (!batch.has(call.event)) throw new Error(`order: ${name(event)} started while ${name(call.event)} runs`);
      if (collide(event, call.event)) throw new Error(`convoy: ${name(event)} and ${name(call.event)} touch the same record`);
    }
    if (world.done.has(event)) throw new Error(`twice: ${name(event)} was done already`);
    const lane = lanes.get(event.lane)!;
    while (world.done.has(lane.events[lane.firstOpen]!)) lane.firstOpen += 1;
    for (let i = lane.firstOpen; lane.events[i] !== event; i += 1) {
      const earlier = lane.events[i]!;
      if (!world.done.has(earlier) && !batch.has(earlier))
        throw new Error(`order: ${name(event)} started before ${name(earlier)} was done`);
    }
    if (batch.size > 1 && !(event.convoy && event.touches)) throw new Error(`convoy: ${name(event)} must go alone`);
  }

  const world: World = {
    now: 0,
    log: Array.from({ length: partitions }, () => []),
    done: new Set(),
    held: new Map(),
    committed: Array.from({ length: partitions }, () => 0n),
    owners: Array.from({ length: partitions }, () => ({ consumer: null, epoch: 0n, freeAt: 0 })),
    append: (event) => {
      world.log[event.partition]!.push(event);
      const lane = lanes.get(event.lane) ?? { events: [], firstOpen: 0 };
      lane.events.push(event);
      lanes.set(event.lane, lane);
      appended += 1;
    },
    acquire: (partition, consumer) => {
      const owner = world.owners[partition]!;
      if (owner.consumer !== null || owner.freeAt > world.now) return null;
      owner.consumer = consumer;
      return (owner.epoch += 1n);
    },
    startCall: (event, batch, ticks) => {
      judgeStart(event, batch);
      const fails = event.value.failures > 0;
      if (fails) event.value.failures -= 1;
      const call = { event, batch, endsAt: world.now + Math.min(ticks, CALL_TICKS), fails };
      calls.push(call);
      return call;
    },
    write: (partition, epoch, change) => {
      if (world.owners[partition]!.epoch !== epoch) return false;
      change();
      return true;
    },
    hold: (event) => {
      const list = world.held.get(event.lane) ?? [];
      world.held.set(event.lane, [...list, event].sort((a, b) => (a.offset < b.offset ? -1 : 1)));
    },
    commit: (partition, epoch, offset) => {
      if (world.owners[partition]!.epoch !== epoch) return;
      for (const event of world.read(partition, world.committed[partition]!, world.log[partition]!.length)) {
        if (event.offset >= offset) break;
        if (!world.done.has(event) && !world.held.get(event.lane)?.includes(event))
          throw new Error(`commit: ${offset} is past ${name(event)}`);
      }
      if (offset < world.committed[partition]!) throw new Error(`commit: ${offset} is behind ${world.committed[partition]}`);
      world.committed[partition] = offset;
    },
    tick: () => {
      world.now += 1;
      calls = calls.filter((call) => call.endsAt > world.now);
    },
    read: (partition, from, max) => {
      const start = indexOf(world.log[partition]!, from);
      return world.log[partition]!.slice(start, start + max);
    },
    unfinished: () => appended - world.done.size,
  };
  return world;
}
