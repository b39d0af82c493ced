import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { copyFile, stat, truncate } from 'node:fs/promises';
import { Writable } from 'node:stream';

/** A log file of the data folder holds at most this many bytes, and as many again stand in `<file>.1`. */
export const maxLogBytes = 10 * 1024 * 1024;

/**
 * A stream that appends to a log file. At `maxBytes` the file is renamed to `<file>.1`, which replaces the one renamed before.
 * A line that cannot be written (the disk is full) is lost; it never stops the process.
 */
export function openBoundedLog(file: string, maxBytes = maxLogBytes): Writable {
  let handle = openSync(file, 'a', 0o600);
  let size = fstatSync(handle).size;
  const startAnew = (): void => {
    renameSync(file, `${file}.1`);
    const next = openSync(file, 'a', 0o600);
    closeSync(handle);
    [handle, size] = [next, 0];
  };
  const append = (line: Buffer): void => {
    if (size > 0 && size + line.length > maxBytes) startAnew();
    size += writeSync(handle, line);
  };
  // Written synchronously, so that the last lines before the end of a process are not lost.
  return new Writable({
    write: (line: Buffer, _encoding, done) => {
      try {
        append(line);
      } catch {
        // The log has nowhere else to go.
      }
      done();
    },
    destroy: (error, done) => {
      closeSync(handle);
      done(error);
    },
  });
}

/**
 * Bounds a log that another process appends to through a handle of its own, which a rename would not move: when it holds more
 * than `maxBytes` it is copied to `<file>.1` and emptied. What is written in between is lost.
 */
export async function boundForeignLog(file: string, maxBytes = maxLogBytes): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (!found || found.size <= maxBytes) return;
  await copyFile(file, `${file}.1`);
  await truncate(file);
}
