import type { ImportRow, ImportRowStatus, JobStatus } from '@sluice/contracts';
import type { Fence } from './task-store';

/** The worker that runs imports; the id of an import is the key of its task. */
export const importWorkerName = 'imports.run';

/** The run of a row in a turn of its import: 1, and one more with each retry. */
export const importRunOf = (turn: number): string => `import-${turn}`;
/** null: not such a run. */
export const turnOfImportRun = (run: string): number | null => {
  const [, digits] = /^import-(\d+)$/.exec(run) ?? [];
  return digits === undefined ? null : Number(digits);
};

export interface NewBulkImport {
  id: string;
  organizationId: string;
  connectorId: string;
  entity: string;
  eventType: string;
  requestId: string;
  /** The time of acceptance of all its rows. */
  acceptedAt: Date;
}

/** A row as it is stored first. */
export interface NewImportRow {
  line: number;
  externalId: string | null;
  /** JSON text of an object, and the id of the event that it will be; null: the row cannot be read. */
  event: { id: string; properties: string } | null;
  /** Why it cannot be read. */
  problem: string | null;
}

/** An import as its owner sees it. */
export interface BulkImport extends NewBulkImport {
  status: JobStatus<'bulk_import'>;
  rowsTotal: number;
  rowsDone: number;
  rowsFailed: number;
  rowsSkipped: number;
  /** Rows that wait while the import is `held`. */
  rowsHeld: number;
  error: string | null;
  completedAt: Date | null;
}

export interface ImportedRow {
  line: number;
  externalId: string | null;
  status: ImportRowStatus;
  crmId: string | null;
  error: string | null;
  errorCode: string | null;
}

/** A row that is to be published as an event. */
export interface RowToRun {
  line: number;
  externalId: string;
  eventId: string;
  /** JSON text of an object. */
  properties: string;
}

/** An import that is run. */
export interface ImportRun extends NewBulkImport {
  turn: number;
  /** Since when its connector takes no writes. */
  heldSince: Date | null;
}

/** Where an import is. */
export interface ImportProgress {
  /** Rows of its turn that were published and have not ended. */
  underWay: number;
  /** Rows of its turn that were not published. */
  left: number;
  /** Whether it goes on: it has not ended, and has no later turn. */
  isOpen: boolean;
}

/** Why no row of an import begins any more. */
export type ImportStop = 'cancelled' | 'held_expired';
/** The error of a row that was stopped as `held_expired`. */
export const heldTooLong = 'the row was held longer than rows of imports are held';
/** For how long a runner believes that rows of an import may begin, milliseconds: a cancel is answered later than that. */
export const importStopKeptMs = 200;

/** The end of a row's event, for the row (`Settlement`). */
export interface ImportRowEnd extends ImportRow {
  /** The turn of its import in which it ran; null: it was replayed on its own. */
  turn: number | null;
  status: Exclude<ImportRowStatus, 'pending' | 'held'>;
  crmId: string | null;
  error: string | null;
  errorCode: string | null;
}

/**
 * Bulk imports and their rows. Rows end in the transaction that stores the outcome of their event (`RunStore.settle`). Any method
 * may throw `StoreUnavailable`.
 */
export interface ImportStore {
  /** Begins to store an import. Nobody sees it before it is accepted. */
  begin(asked: NewBulkImport): Promise<void>;
  /** Stores rows of an import that is being stored, all of them or none. */
  addRows(id: string, rows: readonly NewImportRow[]): Promise<void>;
  /**
   * The import is complete, and its task is due. null: its connector was deleted.
   * @param reserved rows that were counted in the quota
   */
  accept(id: string, options: { reserved: number; held: boolean }): Promise<BulkImport | null>;
  /** Deletes an import that was not accepted. */
  abandon(id: string): Promise<void>;
  /** Deletes imports that were begun so long ago and never accepted, some at a time. @returns how many */
  abandonOld(olderThanMs: number): Promise<number>;

  /** null: the connector has no such import. */
  get(connectorId: string, id: string): Promise<BulkImport | null>;
  /** Newest first. */
  list(connectorId: string, page: { limit: number; offset: number }): Promise<{ items: BulkImport[]; total: number }>;
  /** Rows after a line, in their order. null: the connector has no such import. */
  rows(
    connectorId: string, id: string, query: { status?: ImportRowStatus; after: number; limit: number },
  ): Promise<ImportedRow[] | null>;
  /**
   * No row begins after this, but for those that a runner has begun to look at. @returns the import as it is then; null: the
   * connector has none such
   */
  cancel(connectorId: string, id: string): Promise<BulkImport | null>;
  /** Failed and parked rows run again, in a new turn. */
  retry(
    connectorId: string, id: string,
  ): Promise<
    | { ok: true; import: BulkImport; rows: number }
    | { ok: false; reason: 'not_found' | 'nothing_to_retry' | 'job_running' }
  >;
  /** Counts rows of a new turn in what was reserved. */
  reserved(id: string, rows: number): Promise<void>;

  /** Begins or continues an import. null: it has ended, or it is gone. */
  open(id: string, fence: Fence): Promise<ImportRun | null>;
  /** Rows after a line that were published and have not ended: what a predecessor may have left unpublished. Some at a time. */
  underWay(run: ImportRun, after: number): Promise<RowToRun[]>;
  progress(run: ImportRun): Promise<ImportProgress>;
  /**
   * The next rows, which count as published from then on; fewer than asked for where they are large. null: the import was
   * stopped, or has another turn.
   */
  next(run: ImportRun, fence: Fence, limit: number): Promise<RowToRun[] | null>;
  /** The connector takes no writes now, or takes them again. @returns since when it is held, by the store's clock */
  hold(run: ImportRun, fence: Fence, held: boolean): Promise<Date | null>;
  /** Its rows were held too long: none of those that wait will run. */
  expireHeld(run: ImportRun, fence: Fence): Promise<void>;
  /** Ends a turn in which no row waits any more. @returns false: one waits, or it has another turn */
  finish(run: ImportRun, fence: Fence): Promise<boolean>;
  /** Ends an import that its worker gave up: rows that wait are skipped as those of a cancelled one. */
  fail(id: string, error: string): Promise<void>;
  /**
   * Rows that were counted in the quota, in the month of the acceptance, and are not written. Those `underWay` had begun when the
   * import ended, and still may be. null: the import has not ended, or it is gone.
   */
  unwritten(id: string): Promise<{ rows: number; acceptedAt: Date; underWay: number; endedMsAgo: number } | null>;
  /** They are given back. Refused once the task has passed to another run, which gives them back itself (`FenceLost`). */
  gaveBack(id: string, fence: Fence, rows: number): Promise<void>;

  /** Why rows of an import must not begin; null: they may. Asked right before one begins. */
  stopOf(id: string): Promise<ImportStop | null>;
  /** Deletes imports that ended so long ago, some rows at a time. @returns whether there may be more */
  deleteOld(olderThanMs: number): Promise<boolean>;
}
