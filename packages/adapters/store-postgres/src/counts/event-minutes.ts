import type { IndexRow } from '@sluice/ports';
import type { PoolClient } from 'pg';
import { bulkParameter, type BulkRow, bulkRows, storable } from '../bulk-rows';

const minutes = bulkRows({
  organization_id: 'uuid', connector_id: 'uuid', at: 'timestamptz', source_name: 'text', events: 'bigint',
});
const minuteMs = 60_000;

/**
 * Adds to event_minutes, in the order of its key, so that two writers cannot wait for each other.
 * @param rows a relation with organization_id, connector_id, at, source_name and events
 */
export const countEventsSql = (rows: string): string => `
  INSERT INTO event_minutes AS m (organization_id, connector_id, at, source_name, events)
  SELECT organization_id, connector_id, at, source_name, events FROM ${rows} counted ORDER BY connector_id, at, source_name
  ON CONFLICT (connector_id, at, source_name) DO UPDATE SET events = m.events + excluded.events`;

const addSql = countEventsSql(`(SELECT * FROM ${minutes.from})`);

/** Counts index rows that were written in this transaction, all of them new. */
export async function countEvents(client: PoolClient, rows: readonly IndexRow[]): Promise<void> {
  const counts = new Map<string, BulkRow & { events: number }>();
  for (const { organizationId, connectorId, acceptedAt, sourceName, run } of rows) {
    if (run !== 'first') continue;
    const at = Math.floor(Date.parse(acceptedAt) / minuteMs) * minuteMs;
    const key = `${connectorId} ${at} ${sourceName}`;
    const known = counts.get(key);
    if (known) known.events += 1;
    else {
      counts.set(key, {
        organization_id: organizationId, connector_id: connectorId, at: new Date(at).toISOString(),
        source_name: storable(sourceName), events: 1,
      });
    }
  }
  if (counts.size === 0) return;
  await client.query({ name: 'count-events', text: addSql, values: [bulkParameter([...counts.values()])] });
}
