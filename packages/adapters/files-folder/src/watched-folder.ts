import { existsSync } from 'node:fs';
import { constants, type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type WatchedFile, type WatchedFiles, WatchedFilesUnreadable } from '@sluice/ports';
import { FolderFile } from './folder-file';

/**
 * Linux has the files of an open folder under the folder's descriptor: a component that is replaced meanwhile is not followed.
 */
const descriptors = '/proc/self/fd';
const hasDescriptors = existsSync(descriptors);

/**
 * A folder below that of an organization, open. Invariant: every component below the root was opened without following a link,
 * and so is each of its files; what is no regular file is none of them.
 */
export class WatchedFolder implements WatchedFiles {
  private constructor(private readonly path: string, private readonly handle: FileHandle) {}

  /**
   * @param root absolute path that the operator chose; links in it are followed
   * @param below components of the path below it: the organization's folder, then the others
   * @throws WatchedFilesUnreadable
   */
  static async open(root: string, below: readonly string[]): Promise<WatchedFolder> {
    let folder = new WatchedFolder(root, await openFolder(root, 0, 'the root of watched folders'));
    for (const [at, name] of below.entries()) {
      const parent = folder;
      try {
        const shown = at === 0 ? `the organization's folder '${name}'` : `the folder '${below.slice(1, at + 1).join('/')}'`;
        folder = new WatchedFolder(join(parent.path, name), await openFolder(parent.member(name), constants.O_NOFOLLOW, shown));
      } finally {
        await parent.close();
      }
    }
    return folder;
  }

  async names(most: number): Promise<string[]> {
    const names = await readdir(hasDescriptors ? `${descriptors}/${this.handle.fd}` : this.path, { encoding: 'buffer' });
    const texts = names.sort((one, other) => Buffer.compare(one, other)).map((name) => name.toString('utf8'));
    return texts.filter((name) => !name.startsWith('.')).slice(0, most);
  }

  async file(name: string): Promise<WatchedFile | null> {
    try {
      // Without O_NONBLOCK the open of a named pipe would wait for its writer.
      const handle = await open(this.member(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      const stat = await handle.stat();
      if (stat.isFile()) return new FolderFile(handle, stat, name);
      await handle.close();
      return null;
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private member(name: string): string {
    return join(hasDescriptors ? `${descriptors}/${this.handle.fd}` : this.path, name);
  }
}

async function openFolder(path: string, flags: number, shown: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_DIRECTORY | flags);
  } catch (error) {
    const { code = 'failure' } = error as NodeJS.ErrnoException;
    const reason = reasons[code] ?? `cannot be opened (${code})`;
    throw new WatchedFilesUnreadable(`${shown} ${reason}`);
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'does not exist', ENOTDIR: 'is no folder, or a link', ELOOP: 'is a link', EACCES: 'may not be read',
};

/** Gone meanwhile, a link, a socket, or not ours to read. */
const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ELOOP', 'ENXIO', 'EACCES', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
