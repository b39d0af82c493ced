import { retry } from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { asStoreError, isConflict } from './store-error';

/** Times a transaction is run before a conflict with others counts as unavailable. */
const maxRuns = 5;

/**
 * Runs `work` in one transaction (read committed). Serialization failures and deadlocks run it again, a bounded
 * number of times. Throws `StoreUnavailable` when the database cannot be asked; whether it committed is then unknown.
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return retried(async () => {
    const client = await pool.connect();
    let broken = true;
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      broken = false;
      return result;
    } catch (error) {
      broken = await rollbackFails(client);
      throw error;
    } finally {
      client.release(broken);
    }
  });
}

/** Runs work that is one statement, or that may be repeated as a whole; errors as `inTransaction`. */
export function retried<T>(work: () => Promise<T>): Promise<T> {
  return retry(work, (error, runs) => {
    if (runs >= maxRuns || !isConflict(error)) throw asStoreError(error);
  });
}

/** A connection that cannot even roll back must not go back to the pool; the first error is the one to tell. */
async function rollbackFails(client: PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return false;
  } catch {
    return true;
  }
}
