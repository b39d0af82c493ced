import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import { asStoreError } from '../store-error';
import { migrationFiles, type MigrationFile } from './migration-files';

/** Any fixed number, the same in every process: whoever holds it migrates, the others wait. */
const advisoryLock = 7_282_513_940_127;
const lockWaitMs = 120_000;

/**
 * Brings the database's schema up to this build. Safe when several processes start at once; when there is nothing to
 * do it is one short read. A script and its mark are one transaction: an unfinished mark of a crashed process means
 * that nothing of it was applied, and it runs again. A database that is ahead (a newer build migrated it) is left alone.
 * Throws `StoreUnavailable` when it cannot be reached, and an Error that names the migration when one fails.
 * @returns names of the migrations applied by this call
 */
export async function migrate(url: string): Promise<string[]> {
  const files = await migrationFiles();
  const client = new Client({ connectionString: url, application_name: 'sluice-migrate', connectionTimeoutMillis: 30_000 });
  // A connection that breaks also fails the statement in flight, which is what tells the caller.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if ((await pending(client, files)).length === 0) return [];
    await client.query(`SET lock_timeout = ${lockWaitMs}`);
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLock]);
    if (await hasHistory(client)) await client.query('DELETE FROM _prisma_migrations WHERE finished_at IS NULL');
    if ((await pending(client, files)).length === 0) return [];
    return await applyInWorker(url, files);
  } catch (error) {
    throw asStoreError(error);
  } finally {
    // Ending the session gives the advisory lock back.
    await client.end().catch(() => undefined);
  }
}

/**
 * Names of the migrations of this build that the database lacks, in order. Throws `StoreUnavailable` when it cannot be reached,
 * and an Error that names a migration that was edited since it was applied.
 */
export async function missingMigrations(url: string): Promise<string[]> {
  const files = await migrationFiles();
  const client = new Client({ connectionString: url, application_name: 'sluice-migrate', connectionTimeoutMillis: 30_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await pending(client, files)).map(({ name }) => name);
  } catch (error) {
    throw asStoreError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Migrations without a finished row. Throws when an applied one has been edited since. */
async function pending(client: Client, files: readonly MigrationFile[]): Promise<MigrationFile[]> {
  if (!(await hasHistory(client))) return [...files];
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  const changed = files.find((file) => applied.has(file.name) && applied.get(file.name) !== file.checksum);
  if (changed) throw new Error(`migration ${changed.name} was changed after it had been applied`);
  return files.filter((file) => !applied.has(file.name));
}

async function hasHistory(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there`);
  return rows[0]?.there === true;
}

/** The engine lives in a worker: it is an ES module of WebAssembly, which CommonJS cannot load, and it leaves with it. */
async function applyInWorker(url: string, files: readonly MigrationFile[]): Promise<string[]> {
  const migrations = files.map(({ name, sql }) => ({ name, sql }));
  const worker = new Worker(join(__dirname, 'apply.worker.mjs'), { workerData: { url, migrations }, execArgv: [] });
  const answer = await new Promise<{ applied: string[] } | { error: string }>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the migration worker ended early (${code})`)));
  });
  await worker.terminate();
  if ('error' in answer) throw new Error(`migration failed: ${answer.error}`);
  return answer.applied;
}
