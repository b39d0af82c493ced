import { type HeldPage, type HeldQuery, listCursor, type ListedHeld } from '@sluice/ports';
import type { Pool } from 'pg';
import { retried } from '../transaction';

/** In the order of the list: topic, partition, ordering epoch, offset, entity index, run. */
const cursors = listCursor('held_events', 'text', 'int', 'int', 'bigint', 'int', 'text');

/** Before every row. */
const start = ['', -1, -1, '-1', -1, ''];

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as pg gives them
const cursorOf = (row: any): string =>
  cursors.of([row.topic, row.partition, row.ordering_epoch, String(row.offset), row.entity_index, row.run]);

/** Rows that one call looks at, as in `listRecords`. */
const mostScanned = 10_000;

/**
 * In the order of their partitions, which an index of the table has; what the event was is looked up for one page only. The
 * envelope is not read: its payload may be large.
 */
const sqlOf = (filters: string, limit: number): string => `
  SELECT page.*, e.event_type, e.external_id, e.accepted_at
  FROM (
    SELECT * FROM (
      SELECT event_id, entity_index, run, topic, partition, ordering_epoch, "offset", connector_id, flow_name, reason, due_at,
        attempts, last_error, last_error_code, held_at
      FROM held_events
      WHERE connector_id = $1 AND (topic, partition, ordering_epoch, "offset", entity_index, run) > ($2, $3, $4, $5, $6, $7)
      ORDER BY topic, partition, ordering_epoch, "offset", entity_index, run LIMIT ${mostScanned}) scanned
    ${filters} ORDER BY topic, partition, ordering_epoch, "offset", entity_index, run LIMIT ${limit + 1}) page
  LEFT JOIN LATERAL (
    SELECT event_type, external_id, accepted_at FROM event_index
    WHERE event_id = page.event_id AND entity_index = page.entity_index AND connector_id = page.connector_id LIMIT 1) e ON true
  ORDER BY topic, partition, ordering_epoch, "offset", entity_index, run`;

const lastScannedSql = `
  SELECT topic, partition, ordering_epoch, "offset", entity_index, run FROM held_events
  WHERE connector_id = $1 AND (topic, partition, ordering_epoch, "offset", entity_index, run) > ($2, $3, $4, $5, $6, $7)
  ORDER BY topic, partition, ordering_epoch, "offset", entity_index, run LIMIT 1 OFFSET ${mostScanned - 1}`;

/** A connector's held events, each partition's oldest first. */
export async function listHeld(pool: Pool, connectorId: string, query: HeldQuery): Promise<HeldPage> {
  const from = [connectorId, ...(cursors.read(query.cursor) ?? start)];
  const values: unknown[] = [...from];
  const filters = [
    ...(query.reason === undefined ? [] : [`reason = $${values.push(query.reason)}`]),
    ...(query.flow === undefined ? [] : [`flow_name = $${values.push(query.flow)}`]),
  ];
  const where = filters.length === 0 ? '' : `WHERE ${filters.join(' AND ')}`;
  const { rows } = await retried(() => pool.query(sqlOf(where, query.limit), values));
  const items = rows.slice(0, query.limit).map(listedOf);
  if (rows.length > query.limit) return { items, nextCursor: cursorOf(rows[query.limit - 1]) };
  const last = await retried(() => pool.query(lastScannedSql, from));
  return { items, nextCursor: last.rows.length === 0 ? null : cursorOf(last.rows[0]) };
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as pg gives them
const listedOf = (row: any): ListedHeld => ({
  unit: { eventId: row.event_id, entityIndex: row.entity_index, run: row.run },
  flowName: row.flow_name,
  eventType: row.event_type,
  externalId: row.external_id,
  reason: row.reason,
  until: row.due_at?.toISOString() ?? null,
  attempts: row.attempts,
  error: row.last_error,
  errorCode: row.last_error_code,
  acceptedAt: row.accepted_at?.toISOString() ?? null,
  heldSince: row.held_at.toISOString(),
});
