import { createHash, randomBytes } from 'node:crypto';
import { refill } from './refill';
import type { FileTask } from './file-task';

/** A file as the portal keeps it. */
export interface StoredFile {
  readonly id: string;
  /** Without the extension. */
  readonly name: string;
  readonly extension: string;
  readonly folderId: string;
  readonly access: string;
  readonly bytes: Buffer;
  readonly md5: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt?: number;
}

export interface StoredFolder {
  readonly id: string;
  /** From the top, beginning with `/`. */
  readonly path: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface FileDump {
  readonly nextId: number;
  /** Absent from snapshots of earlier versions. */
  readonly linkSecret?: Uint8Array;
  readonly files: ReadonlyMap<string, StoredFile>;
  /** Snapshots of earlier versions do not say when a folder was made. */
  readonly folders: ReadonlyMap<string, Pick<StoredFolder, 'id' | 'path'> & Partial<StoredFolder>>;
}

/** The data of an upload. */
export interface FileDraft {
  readonly name: string;
  readonly extension: string;
  readonly folder: StoredFolder;
  readonly access: string;
  readonly bytes: Buffer;
  readonly expiresAt?: number;
}

/** The files and folders of a portal. */
export class FileStore {
  readonly files = new Map<string, StoredFile>();
  /** By path. */
  readonly folders = new Map<string, StoredFolder>();
  /** By id. */
  readonly tasks = new Map<string, FileTask>();
  /** Signs the addresses of private files. */
  linkSecret = randomBytes(32);
  #nextId = 70_000_001;

  constructor(readonly now: () => number) {}

  dump(): FileDump {
    return { nextId: this.#nextId, linkSecret: this.linkSecret, files: this.files, folders: this.folders };
  }

  load(dump: FileDump): void {
    this.#nextId = dump.nextId;
    if (dump.linkSecret) this.linkSecret = Buffer.from(dump.linkSecret);
    // A snapshot contains bytes, not a Buffer.
    refill(this.files, [...dump.files].map(([id, file]) => [id, { ...file, bytes: Buffer.from(file.bytes) }] as const));
    refill(this.folders, [...dump.folders].map(([path, folder]) => [path, { createdAt: 0, updatedAt: 0, ...folder }] as const));
  }

  /** Every file whose life has not ended. */
  live(): StoredFile[] {
    const now = this.now();
    return [...this.files.values()].filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
  }

  file(id: string): StoredFile | undefined {
    return this.live().find((file) => file.id === id);
  }

  /** The folder of a path; made with those above it when it is missing. */
  folder(path: string): StoredFolder {
    const parts = path.split('/').map((part) => part.trim()).filter((part) => part !== '');
    let above = '';
    let folder: StoredFolder | undefined;
    for (const part of parts) {
      above = `${above}/${part}`;
      folder = this.folders.get(above) ?? this.#addFolder(above);
    }
    return folder ?? this.folders.get('/') ?? this.#addFolder('/');
  }

  folderById(id: string): StoredFolder | undefined {
    return [...this.folders.values()].find((folder) => folder.id === id);
  }

  /** `/folder/name.extension`. */
  pathOf(file: Pick<StoredFile, 'name' | 'extension' | 'folderId'>): string {
    const folder = this.folderById(file.folderId)?.path ?? '/';
    return `${folder === '/' ? '' : folder}/${file.name}${file.extension === '' ? '' : `.${file.extension}`}`;
  }

  at(path: string): StoredFile | undefined {
    return this.live().find((file) => this.pathOf(file) === path);
  }

  /** A file of the same content, in one folder or anywhere. */
  duplicate(bytes: Buffer, folder: StoredFolder | undefined): StoredFile | undefined {
    const md5 = md5Of(bytes);
    return this.live().find((file) => file.md5 === md5 && (!folder || file.folderId === folder.id));
  }

  /** Stores a file. If the name is taken, it gets a number appended, or replaces the existing file. */
  put(draft: FileDraft, { overwrite }: { overwrite: boolean }): StoredFile {
    const at = this.now();
    const { folder, bytes, ...kept } = draft;
    const made = { ...kept, folderId: folder.id, bytes, md5: md5Of(bytes) };
    const same = this.at(this.pathOf(made));
    const file: StoredFile = same && overwrite
      ? { ...made, id: same.id, createdAt: same.createdAt, updatedAt: at }
      : { ...made, name: same ? this.#freeName(made) : made.name, id: this.#id(), createdAt: at, updatedAt: at };
    this.files.set(file.id, file);
    return file;
  }

  /** Changes a file; new bytes get their MD5. */
  change(file: StoredFile, changes: Partial<Omit<StoredFile, 'id' | 'md5' | 'createdAt' | 'updatedAt'>>): StoredFile {
    const md5 = changes.bytes ? md5Of(changes.bytes) : file.md5;
    const changed = { ...file, ...changes, md5, updatedAt: this.now() };
    this.files.set(file.id, changed);
    return changed;
  }

  /** Gives a folder another path; the folders below it move with it. Its files name it by its id. */
  moveFolder(folder: StoredFolder, path: string): StoredFolder {
    for (const one of [...this.folders.values()]) {
      if (one.id !== folder.id && !one.path.startsWith(`${folder.path}/`)) continue;
      this.folders.delete(one.path);
      const moved = `${path}${one.path.slice(folder.path.length)}`;
      this.folders.set(moved, { ...one, path: moved, updatedAt: this.now() });
    }
    return this.folders.get(path)!;
  }

  /** Removes a folder with all that is in it. */
  removeFolder(folder: StoredFolder): void {
    const gone = [...this.folders.values()].filter(({ path }) => path === folder.path || path.startsWith(`${folder.path}/`));
    const ids = new Set(gone.map(({ id }) => id));
    for (const { path } of gone) this.folders.delete(path);
    for (const [id, file] of this.files) if (ids.has(file.folderId)) this.files.delete(id);
  }

  #freeName(made: Pick<StoredFile, 'name' | 'extension' | 'folderId'>): string {
    for (let number = 1; ; number += 1) {
      const name = `${made.name}-${number}`;
      if (!this.at(this.pathOf({ ...made, name }))) return name;
    }
  }

  #addFolder(path: string): StoredFolder {
    const at = this.now();
    const folder = { id: this.#id(), path, createdAt: at, updatedAt: at };
    this.folders.set(path, folder);
    return folder;
  }

  #id(): string {
    this.#nextId += 1;
    return String(this.#nextId - 1);
  }
}

export const md5Of = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
