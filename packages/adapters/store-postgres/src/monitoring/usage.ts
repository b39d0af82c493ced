import type { DailyEvents, ProcessCountEntry, TimeRange } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, bulkRows } from '../bulk-rows';
import { retried } from '../transaction';

const acceptedSql = `
  SELECT (SELECT coalesce(sum(events), 0) FROM event_days WHERE organization_id = $1 AND at >= $2)
    + (SELECT coalesce(sum(events), 0) FROM event_minutes WHERE organization_id = $1 AND at >= $2) AS events`;

/** Days that were added up, and the minutes since. @param since the start of a UTC day */
export async function acceptedSince(pool: Pool, organizationId: string, since: Date): Promise<number> {
  const { rows } = await retried(() => pool.query(acceptedSql, [organizationId, since]));
  return Number(rows[0].events);
}

const reservedSql = `SELECT coalesce(sum(greatest(0, rows_reserved - rows_written)), 0) AS rows FROM bulk_imports
  WHERE organization_id = $1 AND created_at >= $2`;

/** Rows of imports that are counted and may still be written. */
export async function reservedSince(pool: Pool, organizationId: string, since: Date): Promise<number> {
  const { rows } = await retried(() => pool.query(reservedSql, [organizationId, since]));
  return Number(rows[0].rows);
}

const dailySql = `
  SELECT day, connector_id, source_name, sum(events)::float8 AS events FROM (
    SELECT at AS day, connector_id, source_name, events FROM event_days WHERE organization_id = $1 AND at >= $2 AND at < $3
    UNION ALL SELECT date_trunc('day', at, 'UTC'), connector_id, source_name, events FROM event_minutes
    WHERE organization_id = $1 AND at >= $2 AND at < $3
  ) counts GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

export async function dailyEvents(pool: Pool, organizationId: string, { since, until }: TimeRange): Promise<DailyEvents[]> {
  const { rows } = await retried(() => pool.query(dailySql, [organizationId, since, until]));
  return rows.map((row) => ({ day: row.day, connectorId: row.connector_id, sourceName: row.source_name, events: row.events }));
}

const counted = bulkRows({ connector_id: 'uuid', name: 'text', value: 'bigint' });
const addSql = `
  INSERT INTO process_minutes AS m (connector_id, at, name, value)
  SELECT connector_id, date_trunc('minute', now(), 'UTC'), name, sum(value) FROM ${counted.from} GROUP BY 1, 3 ORDER BY 1, 3
  ON CONFLICT (connector_id, name, at) DO UPDATE SET value = m.value + excluded.value`;

export async function addProcessCounts(pool: Pool, entries: readonly ProcessCountEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ connectorId, name, value }) => ({ connector_id: connectorId, name, value }));
  await retried(() => pool.query({ name: 'count-of-process', text: addSql, values: [bulkParameter(rows)] }));
}
