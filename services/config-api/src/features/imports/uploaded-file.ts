import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { BlobStoreUnavailable, type ByteSource } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { ImportDeps } from './deps';

/** Folder of the blob store where files lie while their rows are being stored. */
export const uploadFolder = 'import-files';

/** A file of one request. */
export interface UploadedFile {
  /** @throws HttpError 503 while there is nowhere to store it; what reading the source throws */
  store(source: ByteSource): Promise<void>;
  /** @throws HttpError 503 */
  read(): Promise<Readable>;
}

/** Lends a place for one file, which is deleted afterwards; the sweep deletes what a process that ended left behind. */
export async function withUploadedFile<T>(
  { blobs, logger }: Pick<ImportDeps, 'blobs' | 'logger'>, work: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  const key = `${uploadFolder}/${randomUUID()}`;
  let stored = false;
  try {
    return await work({
      store: async (source) => {
        await available(blobs.putStream(key, source));
        stored = true;
      },
      read: async () => {
        const bytes = await available(blobs.getStream(key));
        if (!bytes) throw apiError('service_unavailable');
        return bytes;
      },
    });
  } catch (error) {
    throw error instanceof BlobStoreUnavailable ? apiError('service_unavailable') : error;
  } finally {
    const later = (error: unknown): void => logger.warn('an imported file is deleted later', { key, error });
    if (stored) await blobs.delete(key).catch(later);
  }
}

const available = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw error instanceof BlobStoreUnavailable ? apiError('service_unavailable') : error;
  });
