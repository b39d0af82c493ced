import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type BlobStore, BlobStoreUnavailable, isBlobKey } from '@sluice/ports';
import { createBoundedCalls } from './bounded-calls';
import { deleteOlderFiles } from './delete-older-files';

export interface FolderBlobStoreOptions {
  /** Milliseconds that a call may take before the store counts as unavailable. Default 5,000. */
  timeoutMs?: number;
}

/**
 * Blobs as files under one folder, which is created when it is missing. Only its own user may read it, because it has payloads. A
 * blob is durable before `put` resolves: its bytes, then its name, are flushed to the disk.
 */
export function createFolderBlobStore(folder: string, { timeoutMs = 5_000 }: FolderBlobStoreOptions = {}): BlobStore {
  const root = resolve(folder);
  const bounded = createBoundedCalls(timeoutMs);
  let closed: Promise<void> | undefined;
  /** An existing folder may be open to other users, which is changed. A folder of another user is not changed. */
  const closeToOthers = (): Promise<void> => (closed ??= chmod(root, folderMode).catch(() => undefined));
  const pathOf = (key: string): string => {
    if (!isBlobKey(key)) throw new Error(`Not a blob key: ${JSON.stringify(key)}`);
    return join(root, fileOf(key));
  };
  return {
    put: async (key, bytes) => {
      const path = pathOf(key);
      await guard(() => bounded(() => writeDurably(root, path, Buffer.from(bytes)).then(closeToOthers)));
    },
    get: async (key) => {
      const path = pathOf(key);
      return guard(() => bounded(() => readFile(path).catch(nullWhenMissing)));
    },
    delete: async (key) => {
      const path = pathOf(key);
      await guard(() => bounded(() => rm(path, { force: true }).catch(nullWhenMissing)));
    },
    deleteOlderThan: async (folder, before) => {
      // The folder of the blobs below a key is named like the key's own file, without the mark at its end.
      const path = pathOf(folder).slice(0, -1);
      return guard(() => deleteOlderFiles(path, before.getTime(), bounded));
    },
  };
}

const folderMode = 0o700;
const fileMode = 0o600;

/**
 * A file's name ends in `~`, which no key contains, so that a key may be the folder of another. Parts that are too long for a
 * file system are split over several folders.
 */
function fileOf(key: string): string {
  const parts = key.split('/').map((part) => (part.match(/.{1,200}/g) as string[]).join('~~/'));
  return `${parts.join('/')}~`;
}

async function writeDurably(root: string, path: string, bytes: Buffer): Promise<void> {
  // Written beside the target, under a name that no key can have: a crash leaves a stray file, never half a blob.
  const unfinished = join(dirname(path), `~${randomUUID()}`);
  const rootWasThere = (await mkdir(root, { recursive: true, mode: folderMode })) === undefined;
  await mkdir(dirname(path), { recursive: true, mode: folderMode });
  try {
    const file = await open(unfinished, 'wx', fileMode);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncFolders(dirname(path), rootWasThere ? root : dirname(root));
}

/**
 * A new name is durable once its folder is flushed, and a new folder once its parent is: all are flushed up to `to`, because
 * another put may have made the folders just before and not have flushed them yet.
 */
async function syncFolders(from: string, to: string): Promise<void> {
  for (let folder = from; ; folder = dirname(folder)) {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
    if (folder === to) return;
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
