import type { SourceType } from '@sluice/contracts';
import type { Fence, NewTask } from '../tasks/task-store';

/** The worker that reads sources; its tasks are named by `sourceTaskKey`. */
export const sourceReadWorker = 'sources.read';

/** A published source by its connector and its name. */
export interface SourceRef {
  connectorId: string;
  name: string;
}

/** The source that a reading is of. A publish may end it, and begin another one of its name. */
export interface ReadSourceRef extends SourceRef {
  createdAt: Date;
}

/** Names the task that reads a source. */
export const sourceTaskKey = ({ connectorId, name }: SourceRef): string => `${connectorId}/${name}`;

/** The task's source; null for a key that names none. */
export function sourceOfTask(key: string): SourceRef | null {
  const at = key.indexOf('/');
  return at < 1 ? null : { connectorId: key.slice(0, at), name: key.slice(at + 1) };
}

/** When a source is read next, and what keeps it from that. */
export interface SourcePlan {
  /** The schedule for which `nextDueAt` was computed; null: it never was. */
  schedule: string | null;
  /** The tick that is read next, or that failed; null: none was computed. */
  nextDueAt: Date | null;
  /** After failures it is not read before, unless somebody asks. */
  waitUntil: Date | null;
  /** Its server asked not to be called before, whoever asks. */
  retryAfterAt: Date | null;
  /** Failures in a row. */
  failures: number;
}

/** A source as the one who reads it finds it. */
export interface SourceReading extends SourcePlan {
  type: SourceType;
  enabled: boolean;
  /** How far it has been read. */
  cursor: unknown;
  /** When somebody asked for a reading that has not begun since. */
  pollRequestedAt: Date | null;
  createdAt: Date;
}

/** How a reading leaves its source. What is absent stays as it is. */
export interface SourceReadEnd extends SourcePlan {
  cursor?: unknown;
  /** When it was read, successfully or not. */
  readAt?: Date;
  /** When it brought events. */
  eventAt?: Date;
  /** What went wrong; null: nothing any more. */
  error?: string | null;
  /** The request for a reading that this one has answered. */
  answered?: Date | null;
}

/** What readers of sources keep about them. Writes of a run are refused once its task has passed on (`FenceLost`). */
export interface SourceReadStore {
  /** null: no published version names the source, or its connector is deleted. */
  find(source: SourceRef): Promise<SourceReading | null>;
  /** Stores how a reading ended; nothing when its source has ended meanwhile. */
  end(fence: Fence, source: ReadSourceRef, end: SourceReadEnd): Promise<void>;
  /** Notes what a source did that is read otherwise than by its own task. What is absent stays as it is. */
  note(source: SourceRef, did: Pick<SourceReadEnd, 'eventAt' | 'readAt' | 'error' | 'cursor'>): Promise<void>;
  /** The digests of what the source last had of records, by external id; those of unknown ones are missing. */
  contents(source: SourceRef, externalIds: readonly string[]): Promise<Map<string, string>>;
  /** As `end`. */
  keepContents(fence: Fence, source: ReadSourceRef, contents: ReadonlyMap<string, string>): Promise<void>;
  /** The tasks of all published sources of these types, in pages. @param after key of the last task of the page before */
  tasks(types: readonly SourceType[], after: string | null, limit: number): Promise<NewTask[]>;
  /** Those of some connectors. */
  tasksOf(types: readonly SourceType[], connectorIds: readonly string[]): Promise<NewTask[]>;
}
