import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from '../eventually';
import { freePort } from '../free-port';
import { startKeeper } from './keep';
import { type ServerControls, serverControls } from './server-controls';

/** A Postgres of its own, on a free port of 127.0.0.1. */
export interface TestPostgres extends ServerControls {
  /** Connection URL of the maintenance database. */
  readonly url: string;
  readonly port: number;
  /** Creates an empty database and returns its URL. */
  createDatabase(name?: string): Promise<string>;
}

/** How to start it. */
export interface PostgresOptions {
  /** For benchmarks: every commit reaches the disk, as in production. */
  durable?: boolean;
  /** Further settings of the server. */
  settings?: readonly (readonly [name: string, value: string])[];
}

const common = [
  ['listen_addresses', '127.0.0.1'],
  ['unix_socket_directories', ''],
  ['max_connections', '300'],
  ['shared_buffers', '128MB'],
  // Not UTC, and not by whole hours: a session that does not set its own zone shifts its times.
  ['timezone', 'America/St_Johns'],
];
// Tests kill processes, not the machine: what reached the operating system is safe.
const quick = [['fsync', 'off'], ['full_page_writes', 'off']];
const durable = [['fsync', 'on'], ['synchronous_commit', 'on'], ['max_wal_size', '4GB']];

/** Starts an embedded Postgres (about a second). Ended by `stop`, or with the process that started it. */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  const settings = [...common, ...(options.durable === true ? durable : quick), ...(options.settings ?? [])];
  const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-postgres-'));
  // As root the server runs as another user, which must be able to reach its own folder inside.
  chmodSync(folder, 0o755);
  const log = join(folder, 'log');
  const port = await freePort();
  const password = randomBytes(8).toString('hex');
  const plan = { folder, port, password, flags, log };
  const base = `postgresql://postgres:${password}@127.0.0.1:${port}`;
  const first = await startKeeper('postgres-keeper.mjs', { ...plan, create: true }, log).catch((error: Error) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  // After a kill the old server's shared memory may need a moment to be seen as free.
  const oneMore = () => startKeeper('postgres-keeper.mjs', { ...plan, create: false }, log);
  const again = () => eventually(oneMore, { everyMs: 200, timeoutMs: 60_000 });
  return {
    ...serverControls(first, folder, again),
    url: `${base}/postgres`,
    port,
    createDatabase: async (name = `test_${randomBytes(6).toString('hex')}`) => {
      await query(`${base}/postgres`, `CREATE DATABASE ${name}`);
      return `${base}/${name}`;
    },
  };
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, statement: string, values: readonly unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement, [...values]);
  } finally {
    await client.end();
  }
}
