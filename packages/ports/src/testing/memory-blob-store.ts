import { isBlobKey } from '../blob-key';
import { type BlobStore, BlobStoreUnavailable } from '../blob-store';

/** Twin of the blob store. While `unavailable` answers true, every method throws BlobStoreUnavailable. */
export function createMemoryBlobStore(options: { unavailable?(): boolean } = {}): BlobStore {
  const blobs = new Map<string, { bytes: Buffer; putAt: number }>();
  const check = (key: string): void => {
    if (!isBlobKey(key)) throw new Error(`Not a blob key: ${JSON.stringify(key)}`);
    if (options.unavailable?.()) throw new BlobStoreUnavailable('The blob store is not available.');
  };
  return {
    put: async (key, bytes) => {
      check(key);
      blobs.set(key, { bytes: Buffer.from(bytes), putAt: Date.now() });
    },
    get: async (key) => {
      check(key);
      const blob = blobs.get(key);
      return blob ? Buffer.from(blob.bytes) : null;
    },
    delete: async (key) => {
      check(key);
      blobs.delete(key);
    },
    deleteOlderThan: async (folder, before) => {
      check(folder);
      const old = [...blobs].filter(([key, { putAt }]) => key.startsWith(`${folder}/`) && putAt < before.getTime());
      for (const [key] of old) blobs.delete(key);
      return old.length;
    },
  };
}
