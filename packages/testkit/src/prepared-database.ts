import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { eventually } from './eventually';
import { variables } from './jest/variables';
import { shared, testDatabase, type TestDatabase } from './shared-servers';

/**
 * A database of a test's own that `prepare` has filled: prepared once for a jest run, and copied for each caller. A copy takes a
 * tenth of the time of a migration.
 * @param name names what `prepare` does: callers with the same name share the original
 */
export async function preparedDatabase(name: string, prepare: (url: string) => Promise<unknown>): Promise<TestDatabase> {
  const template = `template_${name}`;
  const lock = createHash('sha256').update(template).digest().readInt32BE(0);
  const admin = new Client({ connectionString: shared(variables.postgres) });
  await admin.connect();
  try {
    // The lock ends with the session: who fails to prepare leaves it to the next.
    await admin.query('SELECT pg_advisory_lock($1)', [lock]);
    const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (rowCount === 0) await create(admin, template, prepare);
  } finally {
    await admin.end();
  }
  return testDatabase({ template });
}

/** The name is set last, so that an interrupted preparation is no template. */
async function create(admin: Client, template: string, prepare: (url: string) => Promise<unknown>): Promise<void> {
  const draft = await testDatabase();
  await prepare(draft.url);
  const name = new URL(draft.url).pathname.slice(1);
  // The connections of the migration may still be closing.
  await eventually(async () => {
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await admin.query(`ALTER DATABASE ${name} RENAME TO ${template}`);
  });
}
