import type { ClaimRequest, Logger, MonotonicClock, TaskRun, TaskStore } from '@sluice/ports';
import type { Metrics } from '@sluice/service-kit';
import { Leases } from './leases';
import { firstDueInMs } from './next-due';
import { sleep } from './sleep';
import { TaskRuns } from './task-runs';
import type { Worker } from './worker';
import { createWorkerMetrics } from './worker-metrics';

export interface BackgroundRunnerDeps {
  tasks: TaskStore;
  workers: readonly Worker[];
  /** This process: its name in leases. */
  owner: string;
  /** The name stays the same over restarts: what an earlier life of it has is taken over at once. */
  takeOver?: boolean;
  logger: Logger;
  metrics: Metrics;
  monotonicNow: MonotonicClock;
  /** Milliseconds between two looks for tasks that others have added. Default 500. */
  pollMs?: number;
}

interface Place {
  worker: Worker;
  running: number;
  byTenant: Map<string, number>;
}

/** The longest wait after the store could not be asked. */
const longestWaitMs = 5_000;
const defaultPollMs = 500;
/** The shortest wait between two claims: what ends or is added meanwhile shares the next one. */
const leastWaitMs = 10;

/**
 * Runs the workers of a process: claims what is due, as much as each worker has places for, and keeps its leases
 * (docs/architecture.md, Background work). Several processes with the same workers share the tasks.
 */
export class BackgroundRunner {
  private readonly places: Map<string, Place>;
  private readonly leases: Leases;
  private readonly runs: TaskRuns;
  private readonly pollMs: number;
  private stopping = false;
  private failures = 0;
  private prepared = false;
  private looking: Promise<void> | undefined;
  private endPause: () => void = () => undefined;
  private woken = false;

  constructor(private readonly deps: BackgroundRunnerDeps) {
    const { workers, tasks, owner, logger, metrics, monotonicNow, pollMs = defaultPollMs } = deps;
    this.places = new Map(workers.map((worker) => [worker.name, { worker, running: 0, byTenant: new Map() }]));
    if (this.places.size !== workers.length) throw new Error('Two workers have the same name.');
    const shortestMs = Math.min(...workers.map(({ leaseMs }) => leaseMs));
    this.leases = new Leases({ tasks, owner, monotonicNow, logger, shortestMs });
    this.runs = new TaskRuns({ tasks, leases: this.leases, metrics: createWorkerMetrics(metrics), logger, monotonicNow });
    this.pollMs = pollMs;
  }

  /** Begins; the store need not answer yet. */
  start(): void {
    this.leases.start();
    this.looking = this.lookAgainAndAgain();
  }

  /** Looks for due tasks at once: this process has just added one. */
  wake(): void {
    this.woken = true;
    this.endPause();
  }

  /** Aborts the runs under way and gives their tasks back. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.looking;
    await this.runs.stop();
    await this.leases.stop();
  }

  private async lookAgainAndAgain(): Promise<void> {
    while (!this.stopping) {
      const waitMs = await this.look();
      // Without an await between the look at `woken` and the pause, so that no call in between is missed.
      if (!this.woken) await this.pause(waitMs);
      this.woken = false;
      if (!this.stopping) await sleep(leastWaitMs);
    }
  }

  /** @returns milliseconds until the next look */
  private async look(): Promise<number> {
    try {
      await this.prepare();
      const waitMs = await this.claim();
      if (this.failures > 0) this.deps.logger.info('background tasks are claimed again');
      this.failures = 0;
      return waitMs;
    } catch (error) {
      if (this.failures === 0) this.deps.logger.warn('background tasks could not be claimed', { error });
      this.failures += 1;
      return Math.min(longestWaitMs, this.pollMs * 2 ** Math.min(this.failures, 10));
    }
  }

  /** Once: the tasks of schedules exist, and an earlier life has none. */
  private async prepare(): Promise<void> {
    if (this.prepared) return;
    const { tasks, owner, takeOver = false, workers } = this.deps;
    if (takeOver) await tasks.releaseOwned(owner);
    await tasks.ensure(workers.flatMap(({ name, schedule }) =>
      'waits' in schedule ? [] : [{ worker: name, key: '', dueInMs: firstDueInMs(schedule) }]));
    this.prepared = true;
  }

  private async claim(): Promise<number> {
    const { tasks, owner, monotonicNow } = this.deps;
    const requests = [...this.places.values()].flatMap((place): ClaimRequest[] => requestOf(place));
    const askedAt = monotonicNow();
    const { runs, nextInMs } = await tasks.claim(owner, requests);
    const surplus = runs.filter((run) => !this.begin(run, askedAt));
    await tasks.release(surplus);
    if (runs.length > surplus.length) return leastWaitMs;
    return Math.min(this.pollMs, nextInMs === null || nextInMs <= 0 ? this.pollMs : nextInMs);
  }

  /** @returns false: the organization has its share already */
  private begin(run: TaskRun, askedAt: number): boolean {
    const place = this.places.get(run.worker)!;
    if (isShareUsed(place, run.tenant)) return false;
    const count = (by: 1 | -1): void => {
      place.running += by;
      const ofTenant = (place.byTenant.get(run.tenant) ?? 0) + by;
      if (ofTenant === 0) place.byTenant.delete(run.tenant);
      else place.byTenant.set(run.tenant, ofTenant);
    };
    count(1);
    void this.runs.start(place.worker, run, askedAt + place.worker.leaseMs).then(() => {
      count(-1);
      this.wake();
    });
    return true;
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function requestOf(place: Place): ClaimRequest[] {
  const { worker: { name, leaseMs, places = 1 }, running, byTenant } = place;
  if (running >= places) return [];
  const exceptTenants = [...byTenant.keys()].filter((tenant) => isShareUsed(place, tenant));
  return [{ worker: name, limit: places - running, leaseMs, exceptTenants }];
}

const isShareUsed = ({ worker: { places = 1, placesPerTenant = places }, byTenant }: Place, tenant: string): boolean =>
  tenant !== '' && (byTenant.get(tenant) ?? 0) >= placesPerTenant;
