import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ByteSource } from '@sluice/ports';
import type { BoundedCalls } from './bounded-calls';

export const folderMode = 0o700;
const fileMode = 0o600;

/** A file below a root folder; both are made when they are missing. */
export interface DurableFile {
  root: string;
  path: string;
}

/**
 * Writes a file so that it and its name are on the disk when this resolves, and returns its bytes. The bytes lie beside the
 * target until they are whole, under a name that no key can have: a crash leaves a stray file, never half a blob.
 * @param guarded runs each step on the disk, with its time limit; errors of the source pass outside of it
 */
export async function writeDurably({ root, path }: DurableFile, source: ByteSource, guarded: BoundedCalls): Promise<number> {
  const unfinished = join(dirname(path), `~${randomUUID()}`);
  const { file, rootWasThere } = await guarded(() => begin(root, unfinished));
  try {
    const size = await fill(file, source, guarded);
    await guarded(() => rename(unfinished, path));
    await guarded(() => syncFolders(dirname(path), rootWasThere ? root : dirname(root)));
    return size;
  } catch (error) {
    await guarded(() => rm(unfinished, { force: true })).catch(() => undefined);
    throw error;
  }
}

async function begin(root: string, unfinished: string): Promise<{ file: FileHandle; rootWasThere: boolean }> {
  const rootWasThere = (await mkdir(root, { recursive: true, mode: folderMode })) === undefined;
  await mkdir(dirname(unfinished), { recursive: true, mode: folderMode });
  return { file: await open(unfinished, 'wx', fileMode), rootWasThere };
}

async function fill(file: FileHandle, source: ByteSource, guarded: BoundedCalls): Promise<number> {
  let size = 0;
  try {
    for await (const chunk of source) {
      await guarded(() => file.writeFile(chunk));
      size += chunk.length;
    }
    await guarded(() => file.sync());
    return size;
  } finally {
    // What counts was flushed: an error here changes nothing, and must not hide the one that led here.
    await guarded(() => file.close()).catch(() => undefined);
  }
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
