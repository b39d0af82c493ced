import type { ReplayJob } from '@sluice/ports';

/** A step of a job that was stored. */
export interface ReplayStepNote {
  at: number;
  /** The run of its task: the next process that works on it has another one. */
  epoch: bigint;
  matched: number;
  /** Units that it started, as `unitKeyText`. */
  started: readonly string[];
  /** Units of the job that had neither ended nor were held then. */
  underWay: number;
}

/** What became of a replay job. Times in milliseconds since the epoch; null: it did not happen. */
export interface ReplayJobNotes {
  job: ReplayJob;
  /** Records that it had to start when it was made: `<event id>/<entity index>`. */
  wanted: ReadonlySet<string>;
  /** When each run of its task began. */
  openedAt: Map<bigint, number>;
  steps: ReplayStepNote[];
  /** Messages of its units that the log took, in order. */
  published: { at: number; unit: string }[];
  /** When its cancellation was answered. */
  cancelledAt: number | null;
  finishedAt: number | null;
  /** Units that had neither ended nor were held when it was finished. */
  leftAtFinish: readonly string[];
}
