import { createHash } from 'node:crypto';
import { refill } from '../state/refill';

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
}

export interface FileDump {
  readonly nextId: number;
  readonly files: ReadonlyMap<string, StoredFile>;
  readonly folders: ReadonlyMap<string, StoredFolder>;
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
  #nextId = 70_000_001;

  dump(): FileDump {
    return { nextId: this.#nextId, files: this.files, folders: this.folders };
  }

  load(dump: FileDump): void {
    this.#nextId = dump.nextId;
    // A snapshot contains bytes, not a Buffer.
    refill(this.files, [...dump.files].map(([id, file]) => [id, { ...file, bytes: Buffer.from(file.bytes) }] as const));
    refill(this.folders, dump.folders);
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
    return [...this.files.values()].find((file) => this.pathOf(file) === path);
  }

  /** A file of the same content, in one folder or anywhere. */
  duplicate(bytes: Buffer, folder: StoredFolder | undefined): StoredFile | undefined {
    const md5 = md5Of(bytes);
    return [...this.files.values()].find((file) => file.md5 === md5 && (!folder || file.folderId === folder.id));
  }

  /** Stores a file. If the name is taken, it gets a number appended, or replaces the existing file. */
  put(draft: FileDraft, { overwrite, at }: { overwrite: boolean; at: number }): StoredFile {
    const { folder, bytes, ...kept } = draft;
    const made = { ...kept, folderId: folder.id, bytes, md5: md5Of(bytes) };
    const same = this.at(this.pathOf(made));
    const file: StoredFile = same && overwrite
      ? { ...made, id: same.id, createdAt: same.createdAt, updatedAt: at }
      : { ...made, name: same ? this.#freeName(made) : made.name, id: this.#id(), createdAt: at, updatedAt: at };
    this.files.set(file.id, file);
    return file;
  }

  #freeName(made: Pick<StoredFile, 'name' | 'extension' | 'folderId'>): string {
    for (let number = 1; ; number += 1) {
      const name = `${made.name}-${number}`;
      if (!this.at(this.pathOf({ ...made, name }))) return name;
    }
  }

  #addFolder(path: string): StoredFolder {
    const folder = { id: this.#id(), path };
    this.folders.set(path, folder);
    return folder;
  }

  #id(): string {
    this.#nextId += 1;
    return String(this.#nextId - 1);
  }
}

export const md5Of = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
