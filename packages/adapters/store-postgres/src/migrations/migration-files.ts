import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface MigrationFile {
  /** Folder name, `NNNN_what`: also the order. */
  name: string;
  sql: string;
  /** SHA-256 hex of the script, as the schema engine keeps it. */
  checksum: string;
}

/** `prisma/migrations` of this package; the same from src and from dist. */
const folder = join(__dirname, '..', '..', 'prisma', 'migrations');

/** All migrations of this build, in order. */
export async function migrationFiles(): Promise<MigrationFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
