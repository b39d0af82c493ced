import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LoggerOptions } from '@sluice/service-kit';
import { openBoundedLog } from '../folder/bounded-log';

/** The output of `npm start` for the user, separate from the log. */
export interface Story {
  /** A line, or several; nothing for an empty line. */
  tell(text?: string): void;
  /** A terminal: it may be drawn on. */
  readonly live: boolean;
}

/** Where the log goes. */
export interface LogTarget extends Required<Pick<LoggerOptions, 'stream' | 'readable'>>, Pick<LoggerOptions, 'copy'> {
  /** For the reader: where to look. */
  file: string;
}

export function createStory(out: NodeJS.WriteStream = process.stdout): Story {
  return { tell: (text = '') => void out.write(`${text}\n`), live: out.isTTY === true };
}

/**
 * Every line goes to a file, as JSON, because stdout shows what the demo does. Where stdout is no terminal (a container, a CI) it
 * gets the warnings and errors as well: nobody may look into the file there.
 */
export function openLogTarget(folder: string, out: NodeJS.WriteStream = process.stdout): LogTarget {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'sluice.log');
  const copy = out.isTTY ? {} : { copy: { stream: out, level: 'warn' as const } };
  return { file, stream: openBoundedLog(file), readable: false, ...copy };
}
