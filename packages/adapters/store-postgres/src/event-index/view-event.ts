import type { EventView, IndexedEvent } from '@sluice/ports';
import type { Pool } from 'pg';
import type { KeptRows } from '../kept-rows';
import { recordRowOf } from '../records/record-row';
import { retried } from '../transaction';

/** An event repeated under its Idempotency-Key keeps its id, whose time may then differ by a day. Replays come later still. */
const slackMs = 25 * 3600_000;

const indexSql = ({ isPast }: KeptRows): string => `
  WITH entries AS (
    SELECT accepted_at, entities_total, entity_index, aliases
    FROM event_index WHERE event_id = $1 AND connector_id = $2 AND accepted_at >= $3)
  SELECT min(accepted_at) AS accepted_at, max(entities_total) AS entities_total, count(DISTINCT entity_index)::int AS units,
    ARRAY(SELECT DISTINCT unnest(aliases) FROM entries) AS aliases, coalesce(${isPast('min(accepted_at)')}, false) AS forgotten
  FROM entries`;

const rowsSql = ({ records }: KeptRows): string => `
  SELECT * FROM ${records} s WHERE event_id = $1 AND connector_id = $2 AND created_at >= $3
  ORDER BY entity_index, created_at, completed_at, id`;

const heldSql = `
  SELECT event_id, entity_index, run, reason, due_at, last_error, last_error_code
  FROM held_events WHERE event_id = $1 AND connector_id = $2
  ORDER BY entity_index, run`;

const replaysSql = `
  SELECT event_id, entity_index, run, asked_at
  FROM record_replays WHERE event_id = $1 AND connector_id = $2 ORDER BY entity_index`;

/** Index, record rows and held units of one event of one connector. */
export async function viewEvent(
  pool: Pool, kept: KeptRows, connectorId: string, eventId: string, acceptedAt: string,
): Promise<EventView> {
  const since = new Date(Date.parse(acceptedAt) - slackMs);
  // Held units are read first: a unit that settles meanwhile is then in both, never in none.
  const held = await retried(() => pool.query({ name: 'view-held', text: heldSql, values: [eventId, connectorId] }));
  const [index, rows, replays] = await Promise.all([
    retried(() => pool.query({ name: 'view-index', text: indexSql(kept), values: [eventId, connectorId, since] })),
    retried(() => pool.query({ name: 'view-rows', text: rowsSql(kept), values: [eventId, connectorId, since] })),
    retried(() => pool.query({ name: 'view-replays', text: replaysSql, values: [eventId, connectorId] })),
  ]);
  return {
    index: indexedEvent(connectorId, index.rows[0]),
    forgotten: index.rows[0].forgotten,
    rows: rows.rows.map(recordRowOf),
    held: held.rows.map((row) => ({
      unit: unitOf(row), reason: row.reason, dueAt: row.due_at?.getTime() ?? null,
      error: row.last_error, errorCode: row.last_error_code,
    })),
    replays: replays.rows.map((row) => ({ unit: unitOf(row), askedAt: row.asked_at.getTime() })),
  };
}

interface IndexColumns {
  accepted_at: Date;
  entities_total: number;
  units: number;
  aliases: string[];
  forgotten: boolean;
}

/** null: no row was found, or it is past its retention. */
const indexedEvent = (
  connectorId: string, { accepted_at, entities_total, units, aliases, forgotten }: IndexColumns,
): IndexedEvent | null =>
  units === 0 || forgotten
    ? null
    : { connectorId, entitiesTotal: entities_total, acceptedAt: accepted_at.toISOString(), units, aliases };

interface UnitColumns {
  event_id: string;
  entity_index: number;
  run: string;
}

const unitOf = (row: UnitColumns) => ({ eventId: row.event_id, entityIndex: row.entity_index, run: row.run });
