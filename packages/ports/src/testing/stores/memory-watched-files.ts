import { type WatchedFile, WatchedFileChanged, type WatchedFiles } from '../../sources/watched-files';

/** The twin: files by name, each with a number that grows with each write. Chunks have few bytes. */
export class MemoryWatchedFiles implements WatchedFiles {
  private readonly contents = new Map<string, { bytes: Buffer; written: number }>();
  private written = 0;

  put(name: string, content: string | Buffer): void {
    this.contents.set(name, { bytes: Buffer.from(content as string), written: (this.written += 1) });
  }

  remove(name: string): void {
    this.contents.delete(name);
  }

  names(most: number): Promise<string[]> {
    const shown = [...this.contents.keys()].filter((name) => !name.split('/').at(-1)!.startsWith('.'));
    return Promise.resolve(shown.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))).slice(0, most));
  }

  file(name: string): Promise<WatchedFile | null> {
    const found = this.contents.get(name);
    if (!found) return Promise.resolve(null);
    return Promise.resolve({
      bytes: found.bytes.length, state: String(found.written), changedAt: null,
      read: (signal: AbortSignal) => this.chunks(name, found, signal), close: () => Promise.resolve(),
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async *chunks(
    name: string, { bytes, written }: { bytes: Buffer; written: number }, signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const size = 1_024;
    for (let at = 0; at < bytes.length; at += size) {
      await Promise.resolve();
      signal.throwIfAborted();
      if (this.contents.get(name)?.written !== written) break;
      yield bytes.subarray(at, at + size);
    }
    if (this.contents.get(name)?.written !== written) throw new WatchedFileChanged(name);
  }
}
