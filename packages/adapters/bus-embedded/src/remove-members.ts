import type { Pool } from 'pg';
import { inTransaction } from './in-transaction';
import type { KnownTopic } from './topics';

/**
 * Deletes the members of this name, whose ids begin with it, and frees their partitions. Those that are left plan anew at the
 * heartbeat that this wakes.
 * @returns how many there were
 */
export function removeMembers(pool: Pool, { id }: KnownTopic, group: string, name: string): Promise<number> {
  return inTransaction(pool, async (client) => {
    await client.query('SELECT 1 FROM sluice_bus.groups WHERE topic_id = $1 AND name = $2 FOR UPDATE', [id, group]);
    const { rowCount } = await client.query(
      `DELETE FROM sluice_bus.members WHERE topic_id = $1 AND group_name = $2 AND starts_with(id, $3 || '/')`, [id, group, name],
    );
    await client.query(
      `UPDATE sluice_bus.cursors SET owner = NULL, target = NULL, epoch = epoch + 1
       WHERE topic_id = $1 AND group_name = $2 AND starts_with(owner, $3 || '/')`, [id, group, name],
    );
    await client.query("SELECT pg_notify('sluice_bus', $1)", [`g${id}:${group}`]);
    return rowCount ?? 0;
  });
}
