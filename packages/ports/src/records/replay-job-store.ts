import type { JobStatus } from '@sluice/contracts';
import type { ReplaySource } from './record-store';
import type { RecordStatus } from '../run-store/run-store';
import type { UnitKey } from '../run-store/unit-key';
import type { Fence } from '../tasks/task-store';

/** The statuses of rows that a replay job may match. */
export const replayableStatuses = [
  'failed', 'parked', 'partial_success', 'dlq', 'quarantined',
] as const satisfies readonly RecordStatus[];
export type ReplayableStatus = (typeof replayableStatuses)[number];

/** Which records a job matches: those for which all that is named applies. `since` and `until` compare with the accept time. */
export interface ReplayFilter {
  status?: readonly ReplayableStatus[];
  flow?: string;
  entity?: string;
  externalIds?: readonly string[];
  since?: string;
  /** Exclusive. */
  until?: string;
}

/** What somebody asks of a replay job. */
export interface NewReplayJob {
  organizationId: string;
  connectorId: string;
  /** A filter, or the ids of rows. */
  match: { filter: ReplayFilter } | { ids: readonly string[] };
  /** Newer values are overwritten, and quarantined records are replayed. */
  force: boolean;
  /** Repairs what a verification found to differ: rows that were completed are replayed, as long as nothing newer landed. */
  repair?: boolean;
  /** Counts what would be replayed, and replays nothing. */
  dryRun: boolean;
  /** null: as fast as its share of the runners allows. */
  ratePerSecond: number | null;
  requestId: string;
}

export interface ReplayJob extends NewReplayJob {
  id: string;
  status: JobStatus<'replay'>;
  /** Records that were looked at; `replayed` of them were started again. */
  matched: number;
  replayed: number;
  skipped: number;
  /** Records that could not be started, because their payload is past its retention. */
  failed: number;
  error: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

/** How far one step of a job came. */
export interface ReplayStep {
  /** Every record was looked at. */
  done: boolean;
  /** Records that were looked at, and units that were started. */
  matched: number;
  started: UnitKey[];
}

/** The worker that runs replay jobs; the id of a job is the key of its task. */
export const replayWorkerName = 'replay.jobs';

/** The run under which a job runs its records. */
export const runOfReplayJob = (jobId: string): string => `replay-${jobId}`;

/** Jobs that replay many records. Any method may throw `StoreUnavailable`. */
export interface ReplayJobStore {
  /** Stores the job together with its task. */
  create(job: NewReplayJob): Promise<ReplayJob>;
  /** Of ids of rows those that are none of the connector. */
  unknownIds(connectorId: string, ids: readonly string[]): Promise<string[]>;
  /** null: the connector has no such job. */
  get(connectorId: string, id: string): Promise<ReplayJob | null>;
  /** Newest first. */
  list(connectorId: string, page: { limit: number; offset: number }): Promise<{ items: ReplayJob[]; total: number }>;
  /** Nothing of the job begins after this. @returns the job as it is then; null: the connector has no such job */
  cancel(connectorId: string, id: string): Promise<ReplayJob | null>;

  /** Begins or continues a job. null: it has ended, or it is gone. */
  open(id: string, fence: Fence): Promise<ReplayJob | null>;
  /** Units of a job that were started and have no row of its run yet: what a predecessor left. */
  underWay(id: string): Promise<UnitKey[]>;
  /** Which of units of a job have ended or are held. */
  settled(id: string, units: readonly UnitKey[]): Promise<{ ended: UnitKey[]; held: UnitKey[] }>;
  /**
   * Looks at the next records of a job, in the order in which they were accepted, and starts those that may be replayed: their
   * marks, the counts and the position of the job are stored together, or nothing of it when `publish` throws.
   * @param publish gets what is to be started; names the rows whose payload is gone
   * @returns null: the job was cancelled, or it is gone
   */
  step(
    id: string, fence: Fence, options: { limit: number; lostAfterMs: number },
    publish: (sources: readonly ReplaySource[]) => Promise<{ gone: readonly string[] }>,
  ): Promise<ReplayStep | null>;
  /** Ends a job that was not cancelled. */
  finish(id: string, fence: Fence, end: { status: 'completed' | 'failed'; error: string | null }): Promise<void>;
}
