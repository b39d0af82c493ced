import type { Pool, PoolClient } from 'pg';

const guarded = new WeakSet<PoolClient>();

/**
 * Takes a connection out of the pool. While it is in use, a lost connection would end the process with an unhandled 'error'
 * event; the query under way, or the next one, rejects in any case.
 */
export async function takeClient(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect();
  if (!guarded.has(client)) {
    guarded.add(client);
    client.on('error', () => undefined);
  }
  return client;
}
