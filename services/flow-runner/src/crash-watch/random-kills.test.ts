import { createActivity } from '@sluice/crm-writer';
import { type CrashWatchStore, monotonicClock, silentLogger } from '@sluice/ports';
import { createMemoryRunStore } from '@sluice/ports/testing';
import { createSeededRandom, type SeededRandom } from '@sluice/seeded-random';
import { createTestClock, type TestClock } from '../test-support/test-clock';
import { testUnit } from '../test-support/units';
import type { Unit } from '../units/unit';
import { CrashWatch } from './crash-watch';

const lease = { topic: 'events.inbound', partition: 3, epoch: 1n };
const never = new Promise<never>(() => undefined);
const [units, lanes] = [1_200, 40];

/** What became of a run over several lives of a runner. */
interface Ended {
  deaths: number;
  ran: Set<bigint>;
  quarantined: bigint[];
}

/** How long an attempt takes at most, and how long a process lives until somebody kills it. */
interface Pace {
  attemptMs: number;
  lifeMs: { least: number; more: number };
}

interface World extends Pace {
  clock: TestClock;
  random: SeededRandom;
  ended: Ended;
  poison: bigint | null;
}

/** A process that runs the units that are left, one of each lane at a time, until it dies. Nothing of it continues afterwards. */
class Life {
  private dead = false;
  private readonly watch: CrashWatch;

  constructor(
    store: CrashWatchStore,
    private readonly world: World,
  ) {
    const alive = <A extends unknown[], R>(work: (...input: A) => Promise<R>) => async (...input: A): Promise<R> =>
      this.dead ? never : work(...input);
    this.watch = new CrashWatch({
      store: {
        begin: alive(store.begin), end: alive(store.end), countDeaths: alive(store.countDeaths), forget: alive(store.forget),
      },
      aloneDeaths: 2,
      watchMs: 60_000,
      windowSize: units,
      activity: createActivity(),
      monotonicNow: monotonicClock(world.clock.now),
      sleep: world.clock.sleep,
      logger: silentLogger,
    });
  }

  async start(): Promise<void> {
    const { ended } = this.world;
    await this.watch.taken(lease, ended.deaths > 0, 0n);
    const isLeft = (offset: bigint): boolean => !ended.ran.has(offset) && !ended.quarantined.includes(offset);
    for (let lane = 0; lane < lanes; lane += 1) {
      const left = Array.from({ length: units / lanes }, (_, n) => BigInt(n * lanes + lane)).filter(isLeft);
      void left.reduce((before, offset) => before.then(() => this.run(offset)), Promise.resolve());
    }
  }

  die(): void {
    if (!this.dead) this.world.ended.deaths += 1;
    this.dead = true;
  }

  get isDead(): boolean {
    return this.dead;
  }

  private run(offset: bigint): Promise<void> {
    const { clock, random, ended, poison, attemptMs } = this.world;
    const unit: Unit = { ...testUnit({ event_id: `evt_${offset}` }, offset), lease };
    return this.watch.run(unit, {
      attempt: async () => {
        if (offset === poison) this.die();
        await clock.sleep(5 + random.int(attemptMs));
        if (this.dead) return never;
        ended.ran.add(offset);
      },
      quarantine: async () => void ended.quarantined.push(offset),
    });
  }
}

/** Runs all units; somebody kills the process `kills` times at random moments, and the poison ends it whenever it is tried. */
async function runAll(seed: number, kills: number, pace: Pace, poison: bigint | null): Promise<Ended> {
  const random = createSeededRandom(seed);
  const clock = createTestClock();
  const store = createMemoryRunStore().crashWatch;
  const ended: Ended = { deaths: 0, ran: new Set(), quarantined: [] };
  const isOver = (): boolean => ended.ran.size + ended.quarantined.length === units;
  const stepMs = Math.ceil(pace.attemptMs / 10);
  for (let kill = 0; !isOver(); ) {
    const life = new Life(store, { ...pace, clock, random, ended, poison });
    const diesAfterMs = kill < kills ? pace.lifeMs.least + random.int(pace.lifeMs.more) : Infinity;
    await life.start();
    for (let passed = 0; passed < diesAfterMs && !life.isDead && !isOver(); passed += stepMs) await clock.pass(stepMs, stepMs);
    if (life.isDead || isOver()) continue;
    kill += 1;
    life.die();
  }
  return ended;
}

/** The last three met one unit alone twice when a process waited for 5 s only. */
const seeds = [...Array.from({ length: 20 }, (_, index) => index + 1), 21, 106, 276];
const short: Pace = { attemptMs: 60, lifeMs: { least: 20, more: 200 } };
const long: Pace = { attemptMs: 3_000, lifeMs: { least: 2_000, more: 10_000 } };

describe('a runner that is killed at random moments', () => {
  it.each(seeds)('ends no valid event, however short it lives (seed %d)', async (seed) => {
    const { quarantined, ran, deaths } = await runAll(seed, 8, short, null);
    expect({ quarantined, ran: ran.size, deaths }).toEqual({ quarantined: [], ran: units, deaths: 8 });
  });

  it.each(seeds)('ends no valid event when it lives for some seconds (seed %d)', async (seed) => {
    const { quarantined, ran, deaths } = await runAll(seed, 5, long, null);
    expect({ quarantined, ran: ran.size, deaths }).toEqual({ quarantined: [], ran: units, deaths: 5 });
  });

  it.each(seeds)('ends the event that ends its runner, after five deaths at most, and no other (seed %d)', async (seed) => {
    const poison = BigInt(createSeededRandom(seed).int(units));
    const { quarantined, ran, deaths } = await runAll(seed, 0, short, poison);
    expect({ quarantined, ran: ran.size }).toEqual({ quarantined: [poison], ran: units - 1 });
    expect(deaths).toBeLessThanOrEqual(5);
  });
});
