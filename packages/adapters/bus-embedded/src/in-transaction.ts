import type { Pool, PoolClient } from 'pg';
import { takeClient } from './take-client';

/** Runs `work` in a transaction of its own; anything thrown rolls it back. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await takeClient(pool);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // Destroying the connection rolls back, also when the connection itself failed.
    client.release(true);
    throw error;
  }
}
