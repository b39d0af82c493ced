import { existsSync } from 'node:fs';
import { constants, type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder cannot be watched; the message is for the user. */
export class FolderUnreadable extends Error {
  override readonly name = 'FolderUnreadable';
}

/**
 * Linux has the files of an open folder under the folder's descriptor: a component that is replaced meanwhile is not followed.
 */
const descriptors = '/proc/self/fd';
const hasDescriptors = existsSync(descriptors);

/**
 * A folder below that of an organization, open. Invariant: every component below the root was opened without following a link,
 * and so is each of its files; what is no regular file is none of them.
 */
export class WatchedFolder {
  private constructor(private readonly path: string, private readonly handle: FileHandle) {}

  /**
   * @param root absolute path that the operator chose; links in it are followed
   * @param below components of the path below it: the organization's folder, then the others
   * @throws FolderUnreadable
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

  /** Names of its entries in their order, without hidden ones; at most so many. */
  async names(most: number): Promise<string[]> {
    const names = await readdir(hasDescriptors ? `${descriptors}/${this.handle.fd}` : this.path);
    return names.filter((name) => !name.startsWith('.')).sort().slice(0, most);
  }

  /** Opens a regular file; null: there is none of that name, or it is something else. */
  async file(name: string): Promise<FileHandle | null> {
    try {
      // Without O_NONBLOCK the open of a named pipe would wait for its writer.
      const handle = await open(this.member(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      if ((await handle.stat()).isFile()) return handle;
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
    throw new FolderUnreadable(`${shown} ${reason}`);
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'does not exist', ENOTDIR: 'is no folder, or a link', ELOOP: 'is a link', EACCES: 'may not be read',
};

/** Gone meanwhile, a link, a socket, or not ours to read. */
const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ELOOP', 'ENXIO', 'EACCES', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
