import type { CallResult } from './crm-records';

/** The folder of the object store in which exported files are; what is past retention there is deleted. */
export const exportFolder = 'exports';

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
  /** Bytes of one file. */
  readonly maxBytes: number;
}
