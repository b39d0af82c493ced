import {
  type Fence, FenceLost, type Logger, type MonotonicClock, type TaskEnd, type TaskRun, type TaskStore,
} from '@sluice/ports';
import { type Lease, type Leases } from './leases';
import { endOfDone, endOfFailed, isBeyondAttempts, isLastAttempt } from './next-due';
import { sleep } from './sleep';
import type { RunContext, Worker } from './worker';
import type { RunOutcome, WorkerMetrics } from './worker-metrics';

export interface TaskRunsDeps {
  tasks: Pick<TaskStore, 'finish' | 'release'>;
  leases: Leases;
  metrics: WorkerMetrics;
  logger: Logger;
  monotonicNow: MonotonicClock;
}

interface Outcome {
  outcome: RunOutcome;
  /** Absent: the task stays with nobody, or is somebody else's. */
  end?: TaskEnd;
  error?: unknown;
}

/** A failed end is told to the store again after this long. */
const finishAgainMs = 500;
const lapsed = 'The process ended during the last try.';

/** Does one run after the other, as many at the same time as it is asked for. */
export class TaskRuns {
  private stopping = false;
  private readonly aborts = new Set<AbortController>();
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly deps: TaskRunsDeps) {}

  /** @param endsAt monotonic milliseconds at which the lease ends. @returns resolves when the run has ended; never rejects */
  start(worker: Worker, run: TaskRun, endsAt: number): Promise<void> {
    const ended = this.oneRun(worker, run, endsAt).finally(() => this.underWay.delete(ended));
    this.underWay.add(ended);
    return ended;
  }

  /** Aborts every run and resolves when all have ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const abort of this.aborts) abort.abort();
    await Promise.all(this.underWay);
  }

  private async oneRun(worker: Worker, run: TaskRun, endsAt: number): Promise<void> {
    const { leases, metrics, monotonicNow } = this.deps;
    const fence: Fence = { worker: run.worker, key: run.key, epoch: run.epoch };
    const abort = new AbortController();
    const lease: Lease = { fence, leaseMs: worker.leaseMs, endsAt, abort: () => abort.abort() };
    const logger = this.deps.logger.child({ worker: worker.name, ...(run.key === '' ? {} : { task: run.key }) });
    const { key, tenant, dueAt, attempt, claimedAt: startedAt } = run;
    const isOwned = (): boolean => !abort.signal.aborted && leases.isSafe(lease);
    const context: RunContext = { key, tenant, dueAt, attempt, startedAt, fence, signal: abort.signal, isOwned, logger };
    const beganAt = monotonicNow();
    metrics.began(worker.name, (startedAt.getTime() - dueAt.getTime()) / 1000);
    leases.keep(lease);
    this.aborts.add(abort);
    if (this.stopping) abort.abort();
    const outcome = await this.outcomeOf(worker, context);
    const ended = await this.endRun(fence, lease, outcome);
    leases.forget(lease);
    this.aborts.delete(abort);
    metrics.ended(worker.name, ended.outcome, (monotonicNow() - beganAt) / 1000);
    tell(logger, ended, { attempt, duration_ms: Math.round(monotonicNow() - beganAt) });
  }

  private async outcomeOf(worker: Worker, context: RunContext): Promise<Outcome> {
    if (isBeyondAttempts(worker, context.attempt)) return this.giveUp(worker, context, new Error(lapsed));
    try {
      return { outcome: 'done', end: endOfDone(worker, context, await worker.run(context)) };
    } catch (error) {
      if (error instanceof FenceLost) return { outcome: 'lost', error };
      if (context.signal.aborted) return { outcome: this.stopping ? 'given_back' : 'lost', error };
      if (isLastAttempt(worker, context.attempt)) return this.giveUp(worker, context, error);
      return { outcome: 'failed', error, end: endOfFailed(worker, context, messageOf(error)) };
    }
  }

  private async giveUp(worker: Worker, context: RunContext, error: unknown): Promise<Outcome> {
    try {
      await worker.gaveUp!(context, messageOf(error));
      return { outcome: 'gave_up', error, end: { next: 'removed', error: null, retry: false } };
    } catch (failure) {
      if (failure instanceof FenceLost) return { outcome: 'lost', error: failure };
      return { outcome: 'failed', error: failure, end: endOfFailed(worker, context, messageOf(failure)) };
    }
  }

  /** Tells the store until the lease ends; after that another process runs the task again. */
  private async endRun(fence: Fence, lease: Lease, outcome: Outcome): Promise<Outcome> {
    const { tasks, monotonicNow } = this.deps;
    const settle = async (): Promise<Outcome> => {
      if (outcome.outcome === 'given_back') await tasks.release([fence]);
      else if (outcome.end && !(await tasks.finish(fence, outcome.end))) return { outcome: 'lost', error: new FenceLost(fence) };
      return outcome;
    };
    for (;;) {
      try {
        return await settle();
      } catch (error) {
        if (this.stopping || monotonicNow() >= lease.endsAt) return { outcome: 'lost', error };
        await sleep(finishAgainMs);
      }
    }
  }
}

function tell(logger: Logger, { outcome, error }: Outcome, fields: { attempt: number; duration_ms: number }): void {
  if (outcome === 'done') logger.debug('background run ended', fields);
  else if (outcome === 'given_back') logger.info('background run given back, the process stops', fields);
  else if (outcome === 'lost') logger.warn('background run lost its task', { ...fields, error });
  else if (outcome === 'failed') logger.warn('background run failed', { ...fields, error });
  else logger.error('background task given up after its last try', { ...fields, error });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
