/**
 * Thrown while the store cannot be reached or does not answer in time. Nothing was stored, unless a `put` that took too long
 * succeeds later. That does no harm, because keys depend on the content.
 */
export class BlobStoreUnavailable extends Error {
  override name = 'BlobStoreUnavailable';
}

/** Bytes by key. Every call ends within a bounded time. Adapters: a folder, S3; twin: in memory. */
export interface BlobStore {
  /** Durable when it resolves. Overwrites. Keys: `[A-Za-z0-9._/-]`, no `..`, at most 512 characters. */
  put(key: string, bytes: Buffer): Promise<void>;
  /** null when there is none. */
  get(key: string): Promise<Buffer | null>;
  delete(key: string): Promise<void>;
  /**
   * Deletes every blob whose key begins with `folder/` and that was last put before a time. What is put meanwhile stays.
   * Returns how many it deleted.
   */
  deleteOlderThan(folder: string, before: Date): Promise<number>;
}
