import type { RecentBounds, RecentPayload } from '@sluice/ports';
import type { Pool } from 'pg';
import type { KeptRows } from '../kept-rows';
import { retried } from '../transaction';

/** Only payloads that the index names are read. Both tables name the time, so that only the days since then are looked at. */
const recentSql = ({ events, payloads }: KeptRows): string => `
  WITH recent AS (
    SELECT event_id, entity_index, run, accepted_at, source_name, event_type FROM ${events} e
    WHERE connector_id = $1 AND accepted_at >= $2 AND run = 'first' ORDER BY accepted_at DESC LIMIT $3)
  SELECT r.source_name, r.event_type, p.payload::text AS payload
  FROM recent r JOIN ${payloads} p USING (event_id, entity_index, run, accepted_at)
  WHERE p.accepted_at >= $2 AND octet_length(p.payload::text) <= $4 ORDER BY accepted_at DESC`;

export async function recentPayloads(
  pool: Pool, kept: KeptRows, connectorId: string, bounds: RecentBounds,
): Promise<RecentPayload[]> {
  const { since, limit, bytes } = bounds;
  const { rows } = await retried(() => pool.query(recentSql(kept), [connectorId, since, limit, bytes]));
  return rows.map((row: { source_name: string; event_type: string; payload: string }) =>
    ({ sourceName: row.source_name, eventType: row.event_type, payloadText: row.payload }));
}
