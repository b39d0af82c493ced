import { BackgroundRunner } from '@sluice/background';
import { createIntake, createPartitionCounts, type Quota } from '@sluice/event-intake';
import { replayWorker } from '@sluice/event-replays';
import { type EventBus, type ReplayJobStore, StoreUnavailable, type TaskStore } from '@sluice/ports';
import { unusedPort } from '@sluice/ports/testing';
import { type Connected, never } from '../connected';
import { loudLogger, noMetrics } from '../sim-parts';
import { createSimStores, type SimStores } from '../sim-stores';
import { simPartitions } from '../sim-traffic';
import type { SimWorld } from '../sim-world';
import { createSimClocks } from '../time/sim-clocks';
import type { ReplayJobs } from './replay-jobs';

/** How long a transaction waits for its process before the database ends it, milliseconds. */
const idleMs = 5_000;
/** A message that was not sent by then is not sent any more (ADR 0027). */
const publishAgeMs = 3_000;

/** A config-api that works off replay jobs: it can die, freeze, or lose its connections. */
export class ReplayProcess {
  alive = true;
  private cutOff = false;
  private frozen: Promise<void> | null = null;
  private died: (error: unknown) => void = () => undefined;
  private readonly runner: BackgroundRunner;

  constructor(private readonly world: SimWorld, private readonly jobs: ReplayJobs, readonly name: string, window: number) {
    const death = new Promise<never>((_resolve, reject) => { this.died = reject; });
    death.catch(() => undefined);
    const connected: Connected = {
      name, alive: () => this.alive, cutOff: () => this.cutOff, brokerAway: () => this.cutOff, slowCalls: false,
      awake: () => this.frozen, death,
    };
    const { reader, remote } = createSimStores(world, connected);
    const { monotonicNow } = createSimClocks(world.clock, world.prng);
    const logger = loudLogger(world, () => this.alive);
    const bus = { publish: this.publish };
    const intake = createIntake({
      bus, blobs: world.blobs, rateLimit: () => undefined, quota: unusedPort<Quota>('quota'), partitions: counts(),
    });
    const replayJobs = remoteJobs(jobs.storeFor(() => Promise.race([death, this.idled()])), remote);
    const worker = replayWorker({
      replayJobs, configReader: { connector: reader.connector }, intake, partitions: counts(), blobs: world.blobs, window,
      replayLostAfterMs: 600_000, monotonicNow,
    });
    this.runner = new BackgroundRunner({
      tasks: remoteTasks(jobs.tasks, remote), workers: [worker], owner: name, logger, metrics: noMetrics, monotonicNow,
    });
  }

  start(): void {
    this.runner.start();
  }

  kill(): void {
    this.alive = false;
    this.died(new StoreUnavailable('the process died'));
  }

  cut(ms: number): void {
    if (this.cutOff || this.frozen) return;
    this.cutOff = true;
    void this.world.clock.sleep(ms).then(() => { this.cutOff = false; });
  }

  freeze(ms: number): void {
    if (this.cutOff || this.frozen) return;
    this.frozen = this.world.clock.sleep(ms).then(() => { this.frozen = null; });
  }

  /** Rejects when the database ends a transaction that waits for this process. */
  private async idled(): Promise<never> {
    await this.world.clock.sleep(idleMs);
    throw new StoreUnavailable('the transaction was idle for too long');
  }

  private readonly publish: EventBus['publish'] = async (topic, partition, messages) => {
    const { clock, prng, rough } = this.world;
    const askedAt = clock.now();
    await clock.sleep(prng.int(40));
    await this.frozen;
    if (!this.alive) return never();
    const isLost = rough() && prng.chance(0.05);
    if (this.cutOff || clock.now() - askedAt > publishAgeMs || (isLost && prng.chance(0.5)))
      return { ok: false, outcome: 'refused', message: 'the simulated broker took nothing' };
    await this.jobs.append(topic, partition, messages);
    await clock.sleep(prng.int(40));
    await this.frozen;
    if (!this.alive) return never();
    return isLost ? { ok: false, outcome: 'unknown', message: 'the answer of the simulated broker got lost' } : { ok: true };
  };
}

const counts = (): ReturnType<typeof createPartitionCounts> => createPartitionCounts({ partitions: async () => simPartitions });

const remoteJobs = (jobs: ReplayJobStore, remote: SimStores['remote']): ReplayJobStore => ({
  ...jobs, open: remote(jobs.open), underWay: remote(jobs.underWay), settled: remote(jobs.settled), step: remote(jobs.step),
  finish: remote(jobs.finish),
});

const remoteTasks = (tasks: TaskStore, remote: SimStores['remote']): TaskStore => ({
  ...tasks, ensure: remote(tasks.ensure), claim: remote(tasks.claim), renew: remote(tasks.renew), finish: remote(tasks.finish),
  release: remote(tasks.release), releaseOwned: remote(tasks.releaseOwned),
});
