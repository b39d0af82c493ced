import { isBlobKey } from '../blob-key';
import { type BlobStore, BlobStoreUnavailable } from '../blob-store';

/** Twin of the blob store. While `unavailable` answers true, every method throws BlobStoreUnavailable. */
export function createMemoryBlobStore(options: { unavailable?(): boolean } = {}): BlobStore {
  const blobs = new Map<string, Buffer>();
  const check = (key: string): void => {
    if (!isBlobKey(key)) throw new Error(`Not a blob key: ${JSON.stringify(key)}`);
    if (options.unavailable?.()) throw new BlobStoreUnavailable('The blob store is not available.');
  };
  return {
    put: async (key, bytes) => {
      check(key);
      blobs.set(key, Buffer.from(bytes));
    },
    get: async (key) => {
      check(key);
      const bytes = blobs.get(key);
      return bytes ? Buffer.from(bytes) : null;
    },
    delete: async (key) => {
      check(key);
      blobs.delete(key);
    },
  };
}
