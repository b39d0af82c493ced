import type { Dirent } from 'node:fs';
import { opendir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BoundedCalls } from './bounded-calls';

/**
 * Deletes the files below a folder that were last written before a time (milliseconds since the epoch), one after another,
 * and the folders that are empty then. Returns how many files it deleted; a folder that is not there has none.
 * @param bounded bounds each step: how long all of them take depends on how many files there are
 */
export async function deleteOlderFiles(folder: string, beforeMs: number, bounded: BoundedCalls): Promise<number> {
  let deleted = 0;
  for await (const entry of entriesOf(folder, bounded)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      // Read before its files are deleted, which changes its time. A recent folder may be in use by a put.
      const old = await bounded(() => isOlder(path, beforeMs));
      deleted += await deleteOlderFiles(path, beforeMs, bounded);
      if (old) await bounded(() => rmdir(path)).catch(ignoreInUse);
    } else if (await bounded(() => isOlder(path, beforeMs))) {
      await bounded(() => rm(path, { force: true }));
      deleted += 1;
    }
  }
  return deleted;
}

async function* entriesOf(folder: string, bounded: BoundedCalls): AsyncGenerator<Dirent> {
  const entries = await bounded(() => opendir(folder)).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (!entries) return;
  try {
    for (let entry = await bounded(() => entries.read()); entry; entry = await bounded(() => entries.read())) yield entry;
  } finally {
    await bounded(() => entries.close());
  }
}

/** False for a file that another process has deleted meanwhile. */
async function isOlder(path: string, beforeMs: number): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < beforeMs;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** It is not empty, or another process has deleted it. */
function ignoreInUse(error: unknown): void {
  if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}
