import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

/** Writes JSON that only this user may read: whole or not at all, whatever happens in between. */
export function writePrivateJson(file: string, value: unknown): void {
  const draft = `${file}.draft`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeSync(handle, `${JSON.stringify(value, null, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
}

/** What `writePrivateJson` wrote; undefined when there is no such file. Throws, naming the file, when it is no JSON. */
export function readPrivateJson<T>(file: string): T | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch (cause) {
    throw new Error(`${file} cannot be read as JSON. It was damaged by hand or by the disk.`, { cause });
  }
}
