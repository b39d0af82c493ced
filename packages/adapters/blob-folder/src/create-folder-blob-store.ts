import { chmod, type FileHandle, open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type BlobStore, BlobStoreUnavailable, isBlobKey, rangeWithin } from '@sluice/ports';
import { type BoundedCalls, createBoundedCalls } from './bounded-calls';
import { deleteOlderFiles } from './delete-older-files';
import { readFileRange } from './read-file-range';
import { folderMode, writeDurably } from './write-durably';

export interface FolderBlobStoreOptions {
  /** Milliseconds that a call, or a step of a stream, may take before the store counts as unavailable. Default 5,000. */
  timeoutMs?: number;
}

/**
 * Blobs as files under one folder, which is created when it is missing. Only its own user may read it, because it has payloads. A
 * blob is durable before `put` resolves: its bytes, then its name, are flushed to the disk.
 */
export function createFolderBlobStore(folder: string, { timeoutMs = 5_000 }: FolderBlobStoreOptions = {}): BlobStore {
  const root = resolve(folder);
  const bounded = createBoundedCalls(timeoutMs);
  const guarded: BoundedCalls = (call) => guard(() => bounded(call));
  let closed: Promise<void> | undefined;
  /** An existing folder may be open to other users, which is changed. A folder of another user is not changed. */
  const closeToOthers = (): Promise<void> => (closed ??= chmod(root, folderMode).catch(() => undefined));
  const pathOf = (key: string): string => {
    if (!isBlobKey(key)) throw new Error(`Not a blob key: ${JSON.stringify(key)}`);
    return join(root, fileOf(key));
  };
  /** The file of a blob as it is now, with its size. Who gets it closes it. */
  const opened = (path: string): Promise<{ file: FileHandle; size: number } | null> =>
    guarded(() => openWithSize(path).catch(nullWhenMissing));
  return {
    put: async (key, bytes) => {
      const path = pathOf(key);
      // A copy, because the caller may change its buffer meanwhile.
      const copy = Buffer.from(bytes);
      await guarded(() => writeDurably({ root, path }, oneChunk(copy), unbounded).then(closeToOthers));
    },
    putStream: async (key, source) => {
      const size = await writeDurably({ root, path: pathOf(key) }, source, guarded);
      await guarded(closeToOthers);
      return size;
    },
    get: async (key) => {
      const path = pathOf(key);
      return guarded(() => readFile(path).catch(nullWhenMissing));
    },
    getStream: async (key, range) => {
      const found = await opened(pathOf(key));
      if (!found) return null;
      try {
        return readFileRange(found.file, rangeWithin(found.size, range), guarded);
      } catch (error) {
        await guarded(() => found.file.close());
        throw error;
      }
    },
    size: async (key) => {
      const path = pathOf(key);
      return (await guarded(() => stat(path).catch(nullWhenMissing)))?.size ?? null;
    },
    delete: async (key) => {
      const path = pathOf(key);
      await guarded(() => rm(path, { force: true }).catch(nullWhenMissing));
    },
    renew: async (key) => {
      const path = pathOf(key);
      const now = new Date();
      return (await guarded(() => utimes(path, now, now).then(() => true, nullWhenMissing))) === true;
    },
    deleteOlderThan: async (folder, before) => {
      // The folder of the blobs below a key is named like the key's own file, without the mark at its end.
      const path = pathOf(folder).slice(0, -1);
      return guard(() => deleteOlderFiles(path, before.getTime(), bounded));
    },
  };
}

/** A `put` is one call: its steps together have the time limit. */
const unbounded: BoundedCalls = (call) => call();

async function* oneChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/**
 * A file's name ends in `~`, which no key contains, so that a key may be the folder of another. Parts that are too long for a
 * file system are split over several folders.
 */
function fileOf(key: string): string {
  const parts = key.split('/').map((part) => (part.match(/.{1,200}/g) as string[]).join('~~/'));
  return `${parts.join('/')}~`;
}

async function openWithSize(path: string): Promise<{ file: FileHandle; size: number }> {
  const file = await open(path, 'r');
  try {
    return { file, size: (await file.stat()).size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BlobStoreUnavailable) throw error;
    throw new BlobStoreUnavailable(`The blob folder cannot be used: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  }
}
