import { eventsInbound, eventsOutbound } from '@sluice/contracts';
import { mostWaiting, type WaitingUnits } from '@sluice/ports';
import type { Pool } from 'pg';
import { retried } from '../transaction';

const heldSql = `
  SELECT count(*)::int AS held FROM (
    SELECT 1 FROM held_events WHERE connector_id = $1 AND topic = $2 LIMIT ${mostWaiting}) waiting`;

/** The first held unit of each of the connector's partitions: a loose scan of the index that lists them in log order. */
const oldestHeldSql = `
  WITH RECURSIVE heads AS (
    (SELECT h.partition, h.event_id, h.held_at FROM held_events h WHERE h.connector_id = $1 AND h.topic = $2
     ORDER BY h.topic, h.partition, h.ordering_epoch, h."offset", h.entity_index, h.run LIMIT 1)
    UNION ALL
    SELECT n.* FROM heads, LATERAL (
      SELECT h.partition, h.event_id, h.held_at FROM held_events h
      WHERE h.connector_id = $1 AND h.topic = $2 AND h.partition > heads.partition
      ORDER BY h.topic, h.partition, h.ordering_epoch, h."offset", h.entity_index, h.run LIMIT 1) n
  )
  SELECT min(coalesce(e.accepted_at, heads.held_at)) AS at FROM heads
  LEFT JOIN LATERAL (
    SELECT accepted_at FROM event_index WHERE event_id = heads.event_id AND connector_id = $1 LIMIT 1) e ON true`;

/** Index rows that one call looks at, the newest: what waits in the log is newer than what has ended. */
const mostScanned = 50_000;

/** Of the index rows since a time those that neither ended (a row of the same event and run) nor are held. */
const logSql = `
  SELECT count(*)::int AS in_log, min(accepted_at) AS at, (SELECT count(*) FROM recent) > ${mostScanned} AS capped FROM (
    SELECT i.accepted_at FROM recent i
    WHERE NOT EXISTS (SELECT FROM sync_events s
        WHERE s.event_id = i.event_id AND s.entity_index = i.entity_index AND s.run = i.run AND s.created_at >= $2)
      AND NOT EXISTS (SELECT FROM held_events h
        WHERE h.event_id = i.event_id AND h.entity_index = i.entity_index AND h.run = i.run)) waiting`;
const recentSql = `
  WITH recent AS MATERIALIZED (
    SELECT event_id, entity_index, run, accepted_at FROM event_index
    WHERE connector_id = $1 AND accepted_at >= $2 AND (coalesce(source_type, source_name) = 'crm') = $3
    ORDER BY accepted_at DESC LIMIT ${mostScanned + 1})`;

/** See `MonitoringStore.waiting`. */
export async function waiting(
  pool: Pool, connectorId: string, direction: 'inbound' | 'outbound', unreadSince: Date | null,
): Promise<WaitingUnits> {
  const topic = direction === 'inbound' ? eventsInbound.name : eventsOutbound.name;
  const ask = async (sql: string, ...values: unknown[]) => (await retried(() => pool.query(sql, values))).rows[0];
  const { held } = await ask(heldSql, connectorId, topic);
  const oldestHeld: Date | null = held === 0 ? null : (await ask(oldestHeldSql, connectorId, topic)).at;
  const log = unreadSince === null
    ? { in_log: 0, at: null, capped: false }
    : await ask(`${recentSql} ${logSql}`, connectorId, unreadSince, direction === 'outbound');
  const oldestInLog: Date | null = log.capped ? unreadSince : log.at;
  const oldest = [oldestHeld, oldestInLog].flatMap((at) => (at === null ? [] : [at.getTime()]));
  return { held, inLog: log.in_log, oldestAcceptedAt: oldest.length === 0 ? null : new Date(Math.min(...oldest)) };
}
