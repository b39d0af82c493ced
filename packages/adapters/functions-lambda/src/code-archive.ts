import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import archiver from 'archiver';

/** An archive as Lambda takes it, and the hash by which Lambda names code. */
export interface CodeArchive {
  bytes: Buffer;
  /** SHA-256, base64. */
  sha256: string;
}

const harness = ['index.js', 'plugin-context.js', 'plugin-fetch.js'] as const;
/** ZIP knows no earlier one. One time for all: the same code gives the same archive. */
const date = new Date('1980-01-02T00:00:00Z');

/**
 * The archive of a function: the harness with the module of the plugin.
 * @param code null: a function to which nothing was deployed yet
 * @param operation part of a version's archive, because Lambda publishes no version of code that its last version has
 */
export async function codeArchive(code: string | null, operation: string | null = null): Promise<CodeArchive> {
  const archive = archiver('zip', { zlib: { level: 6 } });
  for (const name of harness) archive.append(readFileSync(join(__dirname, 'harness', name)), { name, date, mode: 0o644 });
  if (code !== null) archive.append(code, { name: 'plugin.js', date, mode: 0o644 });
  if (operation !== null) archive.append(operation, { name: 'operation.txt', date, mode: 0o644 });
  const [bytes] = await Promise.all([buffer(archive), archive.finalize()]);
  return { bytes, sha256: createHash('sha256').update(bytes).digest('base64') };
}
