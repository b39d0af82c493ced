import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { type WatchedFile, WatchedFileChanged } from '@sluice/ports';

/** A regular file of a folder, open. Its state is its place on the disk, its size and its times. */
export class FolderFile implements WatchedFile {
  readonly bytes: number;
  readonly state: string;
  readonly changedAt: Date;

  constructor(private readonly handle: FileHandle, stat: Stats, private readonly name: string) {
    this.bytes = stat.size;
    this.state = stateOf(stat);
    this.changedAt = stat.mtime;
  }

  async *read(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    // The handle stays open for the next reading. What is appended meanwhile is not read.
    const range = { start: 0, end: this.bytes - 1 };
    const chunks = this.bytes === 0 ? [] : this.handle.createReadStream({ ...range, autoClose: false });
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      yield chunk as Uint8Array;
    }
    if (stateOf(await this.handle.stat()) !== this.state) throw new WatchedFileChanged(this.name);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

const stateOf = ({ ctimeMs, ino, mtimeMs, size }: Stats): string => `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
