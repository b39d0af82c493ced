import { renameSync, statSync } from 'node:fs';

const maxBytes = 10 * 1024 * 1024;

/** Renames a large log file, replacing the one renamed before. To be called before it is opened. */
export function rotateLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxBytes) renameSync(file, `${file}.1`);
}
