import { createHash } from 'node:crypto';
import { type BlobStore, BlobStoreUnavailable, exportFolder, type ExportFiles } from '@sluice/ports';

export interface ExportFilesDeps {
  blobs: Pick<BlobStore, 'put'>;
  /** Marks the time in which the event waits for the store. */
  waiting<T>(work: Promise<T>): Promise<T>;
  maxBytes: number;
}

/** Characters that every store accepts; the end of a long name is kept, because it has the extension. */
const storedName = (filename: string): string =>
  filename
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^\.+/, '_')
    .slice(-200) || 'export';

/**
 * Exported files of one event in the object store, below its connector. The key is made of the event's run and the step: an event
 * that runs again writes the same file once more, a replay another one.
 */
export function createExportFiles(
  { blobs, waiting, maxBytes }: ExportFilesDeps,
  { connectorId, unitKey }: { connectorId: string; unitKey: string },
): ExportFiles {
  return {
    maxBytes,
    keep: async ({ filename, bytes, stepId }) => {
      const run = createHash('sha256')
        .update(JSON.stringify([unitKey, stepId]))
        .digest('hex')
        .slice(0, 32);
      const key = `${exportFolder}/${connectorId}/${run}/${storedName(filename)}`;
      try {
        await waiting(blobs.put(key, bytes));
        return { ok: true, value: { file_id: key } };
      } catch (error) {
        if (!(error instanceof BlobStoreUnavailable)) throw error;
        return { ok: false, kind: 'transient', code: 'blob_unavailable', message: 'the object store cannot be reached' };
      }
    },
  };
}
