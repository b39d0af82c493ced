import type { Fence, Logger } from '@sluice/ports';

/** When a task is due again; nothing: it has no more to do, or for a worker with a schedule: as the schedule says. */
export type Again = { dueInMs: number } | { dueAt: Date } | undefined | void;

/** What one run of a worker gets. */
export interface RunContext {
  /** Which task it is: the id of a job, of a source; empty for a worker with a schedule of its own. */
  key: string;
  /** The organization that the task belongs to; empty: none. */
  tenant: string;
  /** When the task was due. It names the run where a schedule must not run twice. */
  dueAt: Date;
  /** 1 for the first try. Crashes count. */
  attempt: number;
  /** The store's time when the run began. */
  startedAt: Date;
  /** To be passed to every write of the run: the store refuses it once the task has passed to another run (`FenceLost`). */
  fence: Fence;
  /** Aborts when the process stops, and when the lease has ended or was lost. */
  signal: AbortSignal;
  /**
   * Whether the lease lasts. To be asked right before a call to the outside that must not happen twice: a process that was
   * suspended learns of it here at once, through the signal a moment later.
   */
  isOwned(): boolean;
  logger: Logger;
}

/** One task that runs again and again, whichever process has it. */
export type Schedule =
  /** This long after the end of its last run, in milliseconds. A run may last as long as the process does. */
  | { every: number }
  /** At the times of a cron expression. Times that passed while nobody ran it are made up by one run. */
  | { cron: string; zone: string }
  /**
   * Tasks of their own, which somebody adds: jobs and sources. A run that throws is tried again after these waits, in
   * milliseconds; the last one repeats. `attempts`: how many tries there are in all, afterwards `gaveUp` is called and the task
   * is removed. Without it a task is tried for ever.
   */
  | { waits: readonly number[]; attempts?: number };

/** Work that runs in the background, in one process at a time for each of its tasks. */
export interface Worker {
  /** Unique in the installation: `config.sweeps`. It is the label of metrics and the name in logs and in the overview. */
  name: string;
  schedule: Schedule;
  /** Milliseconds after which another process may take over from one that no longer answers. It is renewed while a run lasts. */
  leaseMs: number;
  /** Tasks that one process runs at the same time. Default 1. */
  places?: number;
  /** Tasks of one organization that one process runs at the same time. Default: all places. */
  placesPerTenant?: number;
  /** Does the work. What it throws counts as a failure and is logged. It may run twice, so what it does must be repeatable. */
  run(context: RunContext): Promise<Again>;
  /** The last try has failed, or the process ended in it. May be called twice. */
  gaveUp?(context: RunContext, error: string): Promise<void>;
}

const nameShape = /^[a-z]+([.-][a-z]+)*$/;
/** A lease is renewed three times before it ends; a database may be slow. */
const shortestLeaseMs = 1_000;

/** Checks a worker when it is made. @throws Error for a worker that cannot work, a mistake of the code */
export function defineWorker(worker: Worker): Worker {
  const { name, schedule, leaseMs, places = 1, gaveUp } = worker;
  if (!nameShape.test(name)) throw new Error(`The name of a worker is small letters with points: ${name}`);
  if (leaseMs < shortestLeaseMs) throw new Error(`The lease of ${name} must last ${shortestLeaseMs} ms at least.`);
  if (places < 1) throw new Error(`${name} needs a place.`);
  const ends = 'waits' in schedule && schedule.attempts !== undefined;
  if (ends !== (gaveUp !== undefined)) throw new Error(`${name} needs both a number of attempts and gaveUp, or neither.`);
  if ('waits' in schedule && schedule.waits.length === 0) throw new Error(`${name} needs a wait.`);
  return worker;
}
