import type { CallResult } from './call-result';

/** The folder of exported files in the object store; files past retention are deleted. */
export const exportFolder = 'exports';

export interface ExportedFile {
  filename: string;
  bytes: Buffer;
  /** Names the step: for the same event and step it is the same file. */
  stepId: string;
}

/** The store of exported files for one flow run. */
export interface ExportFiles {
  /** Durable when it resolves. `file_id`: the key of the file in the object store. */
  keep(file: ExportedFile): Promise<CallResult<{ file_id: string }>>;
  /** Bytes of one file. */
  readonly maxBytes: number;
}
