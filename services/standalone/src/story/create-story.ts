import { mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { rotateLog } from '../folder/rotate-log';

/** The output of `npm start` for the user, separate from the log. */
export interface Story {
  /** A line, or several; nothing for an empty line. */
  tell(text?: string): void;
  /** A terminal: it may be drawn on. */
  readonly live: boolean;
}

/** Where the log goes. */
export interface LogTarget {
  stream: NodeJS.WritableStream;
  /** For the reader: where to look. null when the lines are on stdout. */
  file: string | null;
}

export function createStory(out: NodeJS.WriteStream = process.stdout): Story {
  return { tell: (text = '') => void out.write(`${text}\n`), live: out.isTTY === true };
}

/** At a terminal the log goes to a file, because stdout shows what the demo does; elsewhere both use stdout. */
export function openLogTarget(folder: string, out: NodeJS.WriteStream = process.stdout): LogTarget {
  if (!out.isTTY) return { stream: out, file: null };
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'sluice.log');
  rotateLog(file);
  const handle = openSync(file, 'a', 0o600);
  // Written synchronously, so that the last lines before the end of a process are not lost.
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      writeSync(handle, chunk);
      done();
    },
  });
  return { stream, file };
}
