/** Names a task: work of a worker. A worker that runs on a schedule has one task, with the empty key. */
export interface TaskRef {
  worker: string;
  /** What the task is about: the id of a job, of a source. */
  key: string;
}

/**
 * One run of a task. Stores that get it with a write refuse the write once the task has passed to another run: `FenceLost`
 * (docs/architecture.md, Background work).
 */
export interface Fence extends TaskRef {
  /** Rises with each run. */
  epoch: bigint;
}

/** A write of a run whose task has passed to another run. Nothing was written. */
export class FenceLost extends Error {
  override readonly name = 'FenceLost';
  constructor(fence: Fence) {
    super(`The task ${fence.worker} ${fence.key} has passed to another run.`);
  }
}

/** A run that was claimed, with what is known of its task. */
export interface TaskRun extends Fence {
  /** The organization whose share of a worker it uses; empty: none. */
  tenant: string;
  /** When it was due. */
  dueAt: Date;
  /** 1 for the first try, counted up when the task is claimed, so that a crash counts too. */
  attempt: number;
  /** The store's time at the claim. */
  claimedAt: Date;
}

export interface NewTask extends TaskRef {
  tenant?: string;
  /** Milliseconds from now until it is due. Default 0. */
  dueInMs?: number;
}

export interface ClaimRequest {
  worker: string;
  /** Tasks wanted at most. */
  limit: number;
  leaseMs: number;
  /** Organizations whose tasks are left alone, because they have their share. */
  exceptTenants: readonly string[];
}

/** How a run leaves its task. */
export interface TaskEnd {
  /** When it is due again; `removed`: there is nothing more to do. */
  next: { dueInMs: number } | { dueAt: Date } | 'removed';
  /** What went wrong, masked; null: nothing. */
  error: string | null;
  /** Whether the next run is another try of the same work. */
  retry: boolean;
}

/** What is known of the tasks of a worker, for operators. */
export interface TaskOverview {
  worker: string;
  tasks: number;
  running: number;
  /** Tasks that are due and not running. */
  due: number;
  /** For how long the oldest of them has been due, in milliseconds; 0 when none is. */
  oldestDueMs: number;
  /** Tasks whose last run failed. */
  failing: number;
  /** Of the run that ended or began last. */
  owner: string | null;
  lastStartedAt: Date | null;
  lastEndedAt: Date | null;
  lastError: string | null;
  /** When the next task is due. */
  nextDueAt: Date | null;
}

/**
 * Tasks with leases: the work that is due, who runs it and until when. All times are the store's. At any moment a task has at
 * most one run that may write.
 */
export interface TaskStore {
  /** Adds tasks. One that is there stays as it is. */
  ensure(tasks: readonly NewTask[]): Promise<void>;
  /** Makes tasks due at once, adding those that are not there. One that runs becomes due again when its run ends. */
  wake(tasks: readonly NewTask[]): Promise<void>;
  /** Removes tasks. A run of one that is under way can write nothing any more. */
  remove(tasks: readonly TaskRef[]): Promise<void>;
  /**
   * Claims tasks that are due and that no other process runs, those that are due longest first.
   * @returns the runs, and in how many milliseconds the next task of the workers asked for may be claimed; null: none waits
   */
  claim(owner: string, requests: readonly ClaimRequest[]): Promise<{ runs: TaskRun[]; nextInMs: number | null }>;
  /** Prolongs leases. @returns the runs that have lost their task */
  renew(owner: string, runs: readonly (Fence & { leaseMs: number })[]): Promise<Fence[]>;
  /** Ends a run. @returns false: its task has passed to another run or was removed, nothing was changed */
  finish(fence: Fence, end: TaskEnd): Promise<boolean>;
  /** Gives tasks back unfinished; their runs do not count as tries. They are due as before. */
  release(fences: readonly Fence[]): Promise<void>;
  /** Gives back what an earlier life of the owner still has. Runs of it can write nothing any more. */
  releaseOwned(owner: string): Promise<void>;
  overview(): Promise<TaskOverview[]>;
}
