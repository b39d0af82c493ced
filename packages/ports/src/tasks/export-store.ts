import type { Fence } from './task-store';

/** The worker that prepares packages: the task of an export has its id as the key. */
export const exportWorker = 'exports.prepare';

export type DataExportStatus = 'queued' | 'running' | 'completed' | 'failed' | 'expired';

export interface DataExport {
  id: string;
  organizationId: string;
  /** null: of the whole organization. */
  connectorId: string | null;
  status: DataExportStatus;
  /** The owner's address, or `api-key:<label>`. */
  requestedBy: string;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  expiresAt: Date | null;
  sizeBytes: number | null;
  error: DataExportError | null;
  /** Of the finished package. */
  categories: string[];
  /** Rows. The total is an estimate until the package is finished. */
  progress: { done: number; total: number };
  /** The package in the blob store; null: there is none. */
  packageKey: string | null;
}

export type DataExportError = 'export_failed' | 'scope_not_found' | 'organization_closed';

export interface NewDataExport {
  organizationId: string;
  connectorId: string | null;
  requestedBy: string;
  /** At most so many may be asked for within this time, whatever became of them. */
  limit: { most: number; withinMs: number };
}

export type DataExportRefusal =
  | { ok: false; reason: 'connector_not_found' | 'limit_reached' }
  /** One of the same scope is being prepared. */
  | { ok: false; reason: 'in_progress'; exportId: string };

/** What a run prepares. It prepares it again when its generation has changed meanwhile. */
export interface DataExportRun {
  export: DataExport;
  generation: number;
}

/** What a run does next. `again`: the scope has changed. `ended`: the export is over, nothing more may be stored. */
export type DataExportTurn = 'go_on' | 'again' | 'ended';

/** What is known of a finished package. */
export interface FinishedPackage {
  key: string;
  sizeBytes: number;
  categories: readonly string[];
  rows: number;
  /** Milliseconds for which it is kept. */
  ttlMs: number;
}

/**
 * Data exports: asked for by config-api, prepared by export-worker. All times are the store's. Deleting a connector expires every
 * package of its organization and ends the export of that connector, in the transaction of the deletion. Any method may throw
 * `StoreUnavailable`, those with a fence `FenceLost`.
 */
export interface ExportStore {
  /** Also adds the task that prepares it. */
  request(asked: NewDataExport): Promise<{ ok: true; export: DataExport } | DataExportRefusal>;
  /** Newest first. */
  list(organizationId: string, limit: number): Promise<DataExport[]>;
  get(organizationId: string, id: string): Promise<DataExport | null>;
  /** For the link of a package, which names no caller. */
  find(id: string): Promise<{ export: DataExport; organizationState: string } | null>;
  /**
   * Begins a run, which will store its package under this key; null: the export is over. One of a closed organization, or of a
   * connector that does not exist any more, fails.
   */
  begin(fence: Fence, id: string, packageKey: string): Promise<DataExportRun | null>;
  progress(fence: Fence, run: DataExportRun, progress: DataExport['progress']): Promise<DataExportTurn>;
  /** `go_on`: it is completed. Else nothing has changed. */
  complete(fence: Fence, run: DataExportRun, finished: FinishedPackage): Promise<DataExportTurn>;
  /** Ends one that is queued or running. */
  fail(id: string, error: DataExportError): Promise<void>;
  /** Expires packages whose time is over, and those of closed organizations, and fails what these still prepare. How many. */
  expire(most: number): Promise<number>;
  /** Packages in the blob store that no export needs any more. */
  leftPackages(most: number): Promise<{ id: string; key: string }[]>;
  packageDeleted(left: { id: string; key: string }): Promise<void>;
}
