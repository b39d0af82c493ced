import type { Pool } from 'pg';
import { retried } from '../transaction';

const minuteMs = 60_000;

/** Counts are by the minute: of the minute in which the time lies the rows are counted. */
const sql = `
  SELECT (SELECT count(*) FROM sync_events WHERE connector_id = $1 AND completed_at >= $2 AND completed_at < $3)
    + (SELECT coalesce(sum(records), 0) FROM record_minutes WHERE connector_id = $1 AND at >= $3) AS ended`;

/** See `MonitoringStore.endedSince`. */
export async function endedSince(pool: Pool, connectorId: string, since: Date): Promise<number> {
  const nextMinute = new Date(Math.ceil(since.getTime() / minuteMs) * minuteMs);
  const { rows } = await retried(() => pool.query(sql, [connectorId, since, nextMinute]));
  return Number(rows[0].ended);
}
