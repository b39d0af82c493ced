import type { SourceRef } from './source-read-store';
import type { Fence } from '../tasks/task-store';

/** The worker that reads the files of sources; its tasks are named by the file's id. */
export const sourceFileWorker = 'sources.files';
/** The folder of the blob store where files wait. */
export const sourceFileFolder = 'source-files';

export const sourceFileStatuses = ['received', 'processing', 'completed', 'failed'] as const;
export type SourceFileStatus = (typeof sourceFileStatuses)[number];

/** A file of a source of type `file`. */
export interface SourceFile {
  id: string;
  connectorId: string;
  sourceName: string;
  filename: string;
  bytes: number;
  /** Where its content is; null once it is not needed any more. */
  blobKey: string | null;
  status: SourceFileStatus;
  rowsTotal: number;
  rowsQueued: number;
  rowsDiscarded: number;
  /** Why it failed. */
  error: string | null;
  receivedAt: Date;
  completedAt: Date | null;
}

export interface NewSourceFile extends SourceRef {
  id: string;
  organizationId: string;
  filename: string;
  /** SHA-256 of the content, hexadecimal. */
  digest: string;
  bytes: number;
  blobKey: string;
  /** Of a watched file: the state (`WatchedFile`) in which it was taken. Default: none, it was uploaded. */
  watchedState?: string;
}

/** A watched file by its name and content, in the state in which it has that content. */
export type WatchedContent = Required<Pick<NewSourceFile, 'filename' | 'digest' | 'watchedState'>>;

/** A row that is no event. */
export interface DiscardedRow {
  line: number;
  reason: string;
}

/** How far the rows of a file have come, counted from its beginning. */
export interface SourceFileProgress {
  rowsTotal: number;
  rowsQueued: number;
  rowsDiscarded: number;
  /** Discarded since the last call. */
  discarded: readonly DiscardedRow[];
}

/** Files of sources and what became of their rows. Writes of a run are refused once its task has passed on (`FenceLost`). */
export interface SourceFileStore {
  /**
   * Adds a file with the task that reads it, unless the source has had one of this name and content.
   * @returns the file of that name and content, new or not; null: the source is not published any more
   */
  add(file: NewSourceFile): Promise<{ file: SourceFile; isNew: boolean } | null>;
  /** Whether the source has had a file of this name in this state: its content need not be read to know that. */
  hasState(source: SourceRef, file: Pick<WatchedContent, 'filename' | 'watchedState'>): Promise<boolean>;
  /**
   * Notes the state in which a watched file was found again.
   * @returns false: the source has had no file of this name and content
   */
  noteState(source: SourceRef, file: WatchedContent): Promise<boolean>;
  /** Newest first. */
  list(source: SourceRef, page: { limit: number; offset: number }): Promise<{ items: SourceFile[]; total: number }>;
  get(source: SourceRef, id: string): Promise<SourceFile | null>;
  /** Discarded rows in their order. */
  discarded(id: string, limit: number): Promise<DiscardedRow[]>;
  /** For the one who reads it: whatever source it belongs to. */
  find(id: string): Promise<SourceFile | null>;
  progress(fence: Fence, id: string, progress: SourceFileProgress): Promise<void>;
  /** Ends it: `error` says why it failed. Its content is not needed any more. */
  end(fence: Fence, id: string, progress: SourceFileProgress, error: string | null): Promise<void>;
}
