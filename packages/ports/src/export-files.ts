import type { CallResult } from './crm-records';

export interface ExportedFile {
  filename: string;
  bytes: Buffer;
  /** Names the step: for the same event and step it is the same file. */
  stepId: string;
}

/** Where exported files are kept, as one flow run sees it. */
export interface ExportFiles {
  /** Durable when it resolves. `file_id`: the key of the file in the object store. */
  keep(file: ExportedFile): Promise<CallResult<{ file_id: string }>>;
}
