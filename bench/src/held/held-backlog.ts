import { eventually } from '@sluice/testkit';
import { Client } from 'pg';

/** Held events of a connector, written into the database as a runner would have left them. */
export interface HeldBacklog {
  /** The partition of another connector's lane. */
  partitionOf(connectorId: string): Promise<number>;
  /**
   * Copies the pattern up to a number of all: each copy is a record of its own, so that each is a scope. Due over the next ten
   * minutes.
   */
  fillTo(partition: number, count: number): Promise<void>;
  /** Removes them, and closes the connection. */
  clear(): Promise<void>;
}

const perStatement = 10_000;

const fillSql = `
  INSERT INTO held_events (event_id, entity_index, run, topic, partition, "offset", organization_id, connector_id, scope, lane, flow_name,
    reason, due_at, attempts, tries, wrote, last_error, envelope, ordering_epoch)
  SELECT 'held-' || n, entity_index, run, topic, $2::int, "offset", organization_id, connector_id, 'lane:' || connector_id || ':' || n,
    connector_id || ':' || n, flow_name, 'retry', now() + (n % 600) * interval '1 second', attempts, tries, wrote, last_error,
    (envelope::jsonb || jsonb_build_object('event_id', 'held-' || n, 'lane', connector_id || ':' || n))::json, ordering_epoch
  FROM held_events, generate_series($3::int, $4::int) n WHERE event_id = $1`;

/** Waits until an event of the connector is held; it is the pattern. */
export async function openHeldBacklog(databaseUrl: string, connectorId: string): Promise<HeldBacklog> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const pattern = await eventually(async () => {
    const { rows } = await client.query<{ event_id: string }>(
      'SELECT event_id FROM held_events WHERE connector_id = $1 LIMIT 1',
      [connectorId],
    );
    if (rows.length === 0) throw new Error('no event of the dead portal is held');
    return rows[0]!.event_id;
  }, { timeoutMs: 30_000, everyMs: 250 });
  let made = 0;
  return {
    partitionOf: async (other) => {
      const { rows } = await client.query<{ position_partition: number }>(
        'SELECT position_partition FROM identity_mappings WHERE connector_id = $1 AND position_partition IS NOT NULL LIMIT 1',
        [other],
      );
      return rows[0]!.position_partition;
    },
    fillTo: async (partition, count) => {
      while (made < count) {
        const last = Math.min(count, made + perStatement);
        await client.query(fillSql, [pattern, partition, made + 1, last]);
        made = last;
        if (made % 100_000 === 0) console.log(`  ${made} of ${count} held`);
      }
      await client.query('VACUUM ANALYZE held_events, held_scopes');
    },
    clear: async () => {
      await client.query('TRUNCATE held_events, held_scopes');
      await client.end();
    },
  };
}
