import type { Readable } from 'node:stream';

/**
 * Thrown while the store cannot be reached or does not answer in time. Nothing was stored, unless a `put` that took too long
 * succeeds later. That does no harm, because keys depend on the content.
 */
export class BlobStoreUnavailable extends Error {
  override name = 'BlobStoreUnavailable';
}

/** Bytes of a blob, counted from 0; both ends belong to it. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Bytes that come one chunk after another, for example a `Readable`. */
export type ByteSource = AsyncIterable<Uint8Array>;

/**
 * Bytes by key. Every call ends within a bounded time, and of a stream each step does. Adapters: a folder, S3; twin: in memory.
 */
export interface BlobStore {
  /** Durable when it resolves. Overwrites. Keys: `[A-Za-z0-9._/-]`, no `..`, at most 512 characters. */
  put(key: string, bytes: Buffer): Promise<void>;
  /**
   * `put` for a blob of any size, in flat memory: the source is read as fast as the store takes it. Until it resolves, readers
   * see what the key held before. The caller bounds the size, by a source that throws.
   * @returns the number of bytes stored
   * @throws the source's own error, with nothing stored; BlobStoreUnavailable
   */
  putStream(key: string, source: ByteSource): Promise<number>;
  /** null when there is none. */
  get(key: string): Promise<Buffer | null>;
  /**
   * `get` as a stream that must be read to its end or destroyed. It gives the blob of one `putStream`, whatever happens to the
   * key meanwhile, or breaks. While nobody reads, it waits without a time limit.
   * @param range default: all of it
   * @returns null when there is none
   * @throws RangeError when the range does not lie within the blob. The stream breaks with BlobStoreUnavailable.
   */
  getStream(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Number of bytes; null when there is no blob. */
  size(key: string): Promise<number | null>;
  delete(key: string): Promise<void>;
  /** From now on it counts as put now, so that its age begins again. false: there is none. */
  renew(key: string): Promise<boolean>;
  /**
   * Deletes every blob whose key begins with `folder/` and that was last put before a time, and what interrupted puts left there.
   * What is put meanwhile stays. Returns how many blobs it deleted.
   */
  deleteOlderThan(folder: string, before: Date): Promise<number>;
}

/**
 * The range to read of a blob, checked.
 * @throws RangeError when it does not lie within the blob
 */
export function rangeWithin(size: number, range: ByteRange | undefined): ByteRange {
  if (range === undefined) return { start: 0, end: size - 1 };
  const { start, end } = range;
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end < start || end >= size)
    throw new RangeError(`bytes ${start} to ${end} do not lie within a blob of ${size} bytes`);
  return range;
}
