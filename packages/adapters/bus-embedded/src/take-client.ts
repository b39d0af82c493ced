import type { Pool, PoolClient } from 'pg';

const guarded = new WeakSet<PoolClient>();

/**
 * Takes a connection out of the pool. While it is out, a break of it would end the process as an unheard 'error' event;
 * the query under way, or the next one, rejects with it anyway.
 */
export async function takeClient(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect();
  if (!guarded.has(client)) {
    guarded.add(client);
    client.on('error', () => undefined);
  }
  return client;
}
