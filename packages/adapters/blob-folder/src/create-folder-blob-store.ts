import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BlobStore } from '@sluice/ports';
import { BlobStoreUnavailable } from '@sluice/ports';

const keyRule = /^[A-Za-z0-9._/-]{1,512}$/;

/** Throws on a key that is not one: keys are ours, so this is a bug and no one's input. */
function pathOf(folder: string, key: string): string {
  const parts = key.split('/');
  if (!keyRule.test(key) || parts.some((part) => part === '' || part === '.' || part === '..')) throw new Error(`not a blob key: ${JSON.stringify(key)}`);
  return join(folder, ...parts);
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Anything the file system refuses means that blobs cannot be kept or read now: the caller waits or says so. */
async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new BlobStoreUnavailable(`the blob folder cannot be used: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  }
}

/** Written beside its place, flushed, then moved there: a reader never sees half a blob, a crash leaves none. */
async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const beside = `${path}.${randomUUID()}.part`;
  await mkdir(dirname(path), { recursive: true });
  try {
    const file = await open(beside, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
    const folder = await open(dirname(path));
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Blobs in a folder of this machine, a file each. */
export function createFolderBlobStore(folder: string): BlobStore {
  return {
    put: async (key, bytes) => {
      const path = pathOf(folder, key);
      await reachable(() => writeDurably(path, bytes));
    },
    get: async (key) => {
      const path = pathOf(folder, key);
      return reachable(() => readFile(path).catch((error: unknown) => { if (isMissing(error)) return null; throw error; }));
    },
    delete: async (key) => {
      const path = pathOf(folder, key);
      await reachable(() => rm(path, { force: true }));
    },
  };
}
