import { exportFolder, type ExportedFile, type ExportFiles } from '../../crm/export-files';
import type { CallFailure } from '@sluice/contracts';
import type { CallResult } from '../../crm/call-result';

/** Twin of ExportFiles: keeps files in memory, by step and name. */
export class ExportFilesTwin implements ExportFiles {
  readonly maxBytes = 1_048_576;
  readonly files = new Map<string, string>();
  private readonly failures: CallFailure[] = [];

  /** The next call answers this failure instead of doing anything. */
  failNext(failure: Omit<CallFailure, 'ok'>): void {
    this.failures.push({ ok: false, ...failure });
  }

  async keep({ filename, bytes, stepId }: ExportedFile): Promise<CallResult<{ file_id: string }>> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const id = `${exportFolder}/${stepId}/${filename}`;
    this.files.set(id, bytes.toString('utf8'));
    return { ok: true, value: { file_id: id } };
  }
}
