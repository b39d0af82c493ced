import { Readable } from 'node:stream';
import { isBlobKey } from '../../blob-key';
import { type BlobStore, BlobStoreUnavailable, rangeWithin } from '../../blob-store';

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
    putStream: async (key, source) => {
      check(key);
      const chunks: Uint8Array[] = [];
      for await (const chunk of source) chunks.push(Buffer.from(chunk));
      check(key);
      const bytes = Buffer.concat(chunks);
      blobs.set(key, { bytes, putAt: Date.now() });
      return bytes.length;
    },
    get: async (key) => {
      check(key);
      const blob = blobs.get(key);
      return blob ? Buffer.from(blob.bytes) : null;
    },
    getStream: async (key, range) => {
      check(key);
      const blob = blobs.get(key);
      if (!blob) return null;
      const { start, end } = rangeWithin(blob.bytes.length, range);
      return Readable.from(chunksOf(blob.bytes.subarray(start, end + 1)), { objectMode: false });
    },
    size: async (key) => {
      check(key);
      return blobs.get(key)?.bytes.length ?? null;
    },
    delete: async (key) => {
      check(key);
      blobs.delete(key);
    },
    renew: async (key) => {
      check(key);
      const blob = blobs.get(key);
      if (blob) blob.putAt = Date.now();
      return blob !== undefined;
    },
    deleteOlderThan: async (folder, before) => {
      check(folder);
      const old = [...blobs].filter(([key, { putAt }]) => key.startsWith(`${folder}/`) && putAt < before.getTime());
      for (const [key] of old) blobs.delete(key);
      return old.length;
    },
  };
}

const chunkBytes = 65_536;

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield Buffer.from(bytes.subarray(at, at + chunkBytes));
}
