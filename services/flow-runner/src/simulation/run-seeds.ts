import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SeedResult } from './run-seed';

export interface RunSeedsOptions {
  first: number;
  count: number;
  workers: number;
  /** Ends early after this many failed seeds. */
  maxFailures: number;
  onResult(result: SeedResult): void;
}

/**
 * A seed takes three seconds of CPU at most. One that is not done after this time, while the process used {@link hangCpuMs} of
 * CPU, is in an endless loop. Without the second condition a machine that is busy with other tests would fail a good seed.
 */
const hangMs = 60_000;
const hangCpuMs = 45_000;
/** Beyond this many times of {@link hangMs} a seed fails also when no CPU was used: it waits for something that never comes. */
const hangRounds = 10;
/**
 * With a young generation of this size most objects of a seed are never collected separately, which saves a quarter of the time.
 */
const youngGenerationMb = 64;
/** Seeds handed to a worker at a time, so that it need not wait for the next one. */
const ahead = 2;

/** Runs seeds on worker threads. Results come in the order in which they end. */
export async function runSeeds(options: RunSeedsOptions): Promise<void> {
  const queue = createSeedQueue(options);
  await Promise.all(Array.from({ length: Math.min(options.workers, options.count) }, async () => {
    while (queue.open()) await runWorker(queue);
  }));
}

interface SeedQueue {
  open(): boolean;
  /** The next seed to run; undefined when there is none or enough have failed. */
  take(): number | undefined;
  /** Seeds that were taken and not begun. */
  giveBack(seeds: readonly number[]): void;
  told(result: SeedResult): void;
}

function createSeedQueue({ first, count, maxFailures, onResult }: RunSeedsOptions): SeedQueue {
  const returned: number[] = [];
  let next = first;
  let failures = 0;
  const open = (): boolean => failures < maxFailures && (returned.length > 0 || next < first + count);
  return {
    open,
    take: () => (open() ? (returned.shift() ?? next++) : undefined),
    giveBack: (seeds) => void returned.push(...seeds),
    told: (result) => {
      if (!result.ok) failures += 1;
      onResult(result);
    },
  };
}

/** One worker, until no seed is left for it or it had to be ended. */
function runWorker(queue: SeedQueue): Promise<void> {
  const worker = new Worker(join(__dirname, 'seed-worker.js'), {
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
  });
  const given: number[] = [];
  return new Promise((resolve) => {
    let watch: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearTimeout(watch);
      void worker.terminate().then(() => resolve());
    };
    const fail = (error: string): void => {
      const [seed, ...notBegun] = given;
      queue.giveBack(notBegun);
      if (seed !== undefined) queue.told({ seed, ok: false, error });
      end();
    };
    const feed = (): void => {
      while (given.length < ahead) {
        const seed = queue.take();
        if (seed === undefined) break;
        given.push(seed);
        worker.postMessage(seed);
      }
      clearTimeout(watch);
      if (given.length === 0) end();
      else watchFrom(process.cpuUsage(), 1);
    };
    const watchFrom = (since: NodeJS.CpuUsage, round: number): void => {
      watch = setTimeout(() => {
        const { user, system } = process.cpuUsage(since);
        const cpuMs = (user + system) / 1_000;
        if (cpuMs >= hangCpuMs || round === hangRounds)
          fail(`no end after ${round * hangMs / 1_000} s and ${Math.round(cpuMs / 1_000)} s of CPU`);
        else watchFrom(since, round + 1);
      }, hangMs);
    };
    worker.on('message', (result: SeedResult) => {
      given.shift();
      queue.told(result);
      feed();
    });
    worker.on('error', (error) => fail(`its thread died: ${error instanceof Error ? error.message : String(error)}`));
    feed();
  });
}
