import { preparedDatabase } from '@sluice/testkit';
import type { Pool } from 'pg';
import { createPool } from '../create-pool';
import { migrate } from '../migrations/migrate';

/** A pool on a database of its own with the schema in it. `close` drops it. */
export async function migratedPool(): Promise<{ pool: Pool; url: string; close(): Promise<void> }> {
  const database = await preparedDatabase('migrated', migrate);
  const pool = createPool(database.url);
  return {
    pool, url: database.url,
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
}
