import type { KeyLanes } from '../key-lanes';
import type { KeyLanesOptions } from '../key-lanes-options';
import type { Touches } from '../lane-item';
import { Consumer } from './consumer';
import type { Prng } from './prng';
import { CALL_TICKS, createWorld, type Event, type Fate, type World } from './world';

/** The result of a run that broke no rule. */
export interface SimulationReport {
  events: number;
  ticks: number;
  crashes: number;
  moves: number;
  /** Events that failed at least once. */
  failing: number;
}

interface Seat {
  consumer: Consumer;
  asleepUntil: number;
  draining: boolean;
}

const CHAOS_TICKS = 150;
const QUIET_TICKS = 6000;

/**
 * Runs a log through two processes that crash, sleep, drain and lose partitions; then, without further faults, until everything
 * is done. Throws on the first broken rule; the same numbers always give the same run.
 */
export function simulate(prng: Prng, createLanes: (options: KeyLanesOptions) => KeyLanes<Fate>): SimulationReport {
  const partitions = 1 + prng.int(3);
  const world = createWorld(partitions);
  const options = {
    maxInFlight: 1 + prng.int(12),
    maxBuffered: 4 + prng.int(20),
    maxConvoy: 1 + prng.int(6),
  };
  const maxPerGroup = 3 + prng.int(20);
  const calm = prng.chance(0.2);
  const report: SimulationReport = { events: 0, ticks: 0, crashes: 0, moves: 0, failing: 0 };
  let born = 0;
  const sit = (): Seat => {
    const name = `process ${(born += 1)}`;
    return {
      consumer: new Consumer({ name, world, prng, lanes: createLanes(options), maxPerGroup, ...options }),
      asleepUntil: 0,
      draining: false,
    };
  };
  const seats = [sit(), sit()];

  for (; report.ticks < CHAOS_TICKS || world.unfinished() > 0; report.ticks += 1) {
    const chaos = report.ticks < CHAOS_TICKS;
    if (report.ticks > CHAOS_TICKS + QUIET_TICKS) throw new Error(`lost or stuck: ${world.unfinished()} events are not done`);
    world.tick();
    if (chaos) appendSome(world, prng, report);
    seats.forEach((seat, i) => {
      if (seat.asleepUntil > world.now) return;
      if (chaos && !calm) disturb(seats, i);
      seats[i]!.consumer.step();
      if (seats[i]!.draining && seats[i]!.consumer.quiet()) leave(seats, i, 0);
    });
    for (let p = 0; p < partitions; p += 1) awakeSeat()?.consumer.acquire(p);
  }
  settleDown(world, seats.map(({ consumer }) => consumer));
  return report;

  function awakeSeat(): Seat | undefined {
    const awake = seats.filter((seat) => seat.asleepUntil <= world.now && !seat.draining);
    return awake.length > 0 ? prng.pick(awake) : undefined;
  }

  function disturb(all: Seat[], i: number): void {
    const seat = all[i]!;
    if (prng.chance(0.015)) {
      report.crashes += 1;
      leave(all, i, CALL_TICKS + 1);
    } else if (prng.chance(0.01)) {
      free(seat.consumer.name, CALL_TICKS + 1);
      seat.asleepUntil = world.now + CALL_TICKS + 2 + prng.int(10);
    } else if (prng.chance(0.01) && !seat.draining) {
      seat.draining = true;
      seat.consumer.drain();
    } else if (prng.chance(0.05)) moveOne(seat);
  }

  // To another process once the work has settled, or back to the same at once, under a new epoch.
  function moveOne({ consumer }: Seat): void {
    const partition = prng.int(partitions);
    if (!consumer.owns(partition)) return;
    report.moves += 1;
    consumer.revoke(partition);
    if (!prng.chance(0.5)) return;
    world.owners[partition]!.consumer = null;
    consumer.acquire(partition);
  }

  function leave(all: Seat[], i: number, after: number): void {
    free(all[i]!.consumer.name, after);
    all[i] = sit();
  }

  function free(consumer: string, after: number): void {
    for (const owner of world.owners) {
      if (owner.consumer !== consumer) continue;
      owner.consumer = null;
      owner.freeAt = world.now + after;
    }
  }
}

function appendSome(world: World, prng: Prng, report: SimulationReport): void {
  for (let n = prng.int(4); n > 0; n -= 1) {
    const key = prng.int(9);
    const partition = key % world.log.length;
    const before = world.log[partition]!.at(-1)?.offset ?? -1n;
    const failures = prng.chance(0.1) ? 1 + prng.int(3) : 0;
    const event: Event = {
      partition,
      offset: before + 1n + BigInt(prng.chance(0.1) ? prng.int(3) : 0),
      lane: `lane${key}`,
      group: `g${key % 3}`,
      value: { failures },
      ...(key < 4 && prng.chance(0.9) ? { convoy: true } : {}),
      ...(prng.chance(0.95) ? { touches: touchesOf(prng) } : {}),
    };
    world.append(event);
    report.events += 1;
    if (failures > 0) report.failing += 1;
  }
}

function touchesOf(prng: Prng): Touches {
  const someRecord = () => `r${prng.int(8)}`;
  return { writes: prng.chance(0.95) ? [someRecord()] : [], reads: prng.chance(0.2) ? [someRecord()] : [] };
}

// When everything is done, the committed offsets are at the end and no item is left in memory.
function settleDown(world: World, consumers: Consumer[]): void {
  for (let i = 0; i < 200; i += 1) {
    world.tick();
    consumers.forEach((consumer) => consumer.step());
    for (let p = 0; p < world.log.length; p += 1) consumers[0]!.acquire(p);
  }
  world.log.forEach((events, partition) => {
    const end = (events.at(-1)?.offset ?? -1n) + 1n;
    if (world.committed[partition] !== end)
      throw new Error(`commit: partition ${partition} stays at ${world.committed[partition]} of ${end}`);
  });
  if (consumers.some((consumer) => !consumer.quiet())) throw new Error('leak: a process still counts work');
}
