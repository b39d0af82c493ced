import type { EventEnvelope } from '@sluice/contracts';
import { type HeldEvent, parseScope, type ScopeId, scopeText } from '@sluice/ports';
import type { Pool } from 'pg';
import { retried } from '../transaction';

/** The text of an envelope is measured and not parsed: it may contain text that Postgres cannot parse (`oldestHeld`). */
const rowsSql = `
  SELECT * FROM (
    SELECT *, row_number() OVER page AS place,
      sum(octet_length(envelope::text) + coalesce(octet_length(kept_steps::text), 0) + coalesce(octet_length(ending::text), 0))
        OVER page AS text_bytes FROM (
      SELECT * FROM held_events WHERE topic = $1 AND partition = $2 AND scope = $3 AND "offset" > $4
      ORDER BY "offset", entity_index, run LIMIT $5) first
    WINDOW page AS (ORDER BY "offset", entity_index, run ROWS UNBOUNDED PRECEDING)) measured
  WHERE place <= 2 OR text_bytes <= $6 ORDER BY place`;

/** The first rows of a scope in log order, of `textBytes` of text together, but two at least. */
export async function heldRows(
  pool: Pool, topic: string, partition: number, scope: ScopeId, limit: number, after = -1n, textBytes = Number.MAX_SAFE_INTEGER,
): Promise<HeldEvent[]> {
  const values = [topic, partition, scopeText(scope), after.toString(), limit, textBytes];
  const { rows } = await retried(() => pool.query({ name: 'held-rows', text: rowsSql, values }));
  return rows.map((row) => ({
    topic: row.topic,
    partition: row.partition,
    offset: BigInt(row.offset),
    unit: { eventId: row.event_id, entityIndex: row.entity_index, run: row.run },
    organizationId: row.organization_id,
    connectorId: row.connector_id,
    scope: parseScope(row.scope),
    lane: row.lane,
    flowName: row.flow_name,
    reason: row.reason,
    dueAt: row.due_at?.getTime() ?? null,
    attempts: row.attempts,
    tries: row.tries,
    wrote: row.wrote,
    lastError: row.last_error,
    lastErrorCode: row.last_error_code,
    mayLandUntil: row.may_land_until?.getTime() ?? null,
    ending: row.ending,
    keptSteps: row.kept_steps,
    envelope: row.envelope,
  }));
}

/** Held rows by reason; reasons without rows are absent. */
export async function heldCounts(pool: Pool, connectorId?: string): Promise<Record<string, number>> {
  const where = connectorId === undefined ? '' : 'WHERE connector_id = $1';
  const values = connectorId === undefined ? [] : [connectorId];
  const { rows } = await retried(() =>
    pool.query(`SELECT reason, count(*)::int AS count FROM held_events ${where} GROUP BY reason`, values),
  );
  return Object.fromEntries(rows.map((row) => [row.reason, row.count]));
}

/**
 * Log order is accept order within a partition: only the first held event of each is parsed. It is parsed here and not by
 * Postgres: a payload may contain text (a NUL) that Postgres stores as json and cannot parse.
 */
export async function oldestHeld(pool: Pool): Promise<Record<string, number>> {
  const { rows } = await retried(() => pool.query<{ topic: string; envelope: EventEnvelope }>(
    'SELECT DISTINCT ON (topic, partition) topic, envelope FROM held_events ORDER BY topic, partition, "offset"',
  ));
  const oldest: Record<string, number> = {};
  for (const { topic, envelope } of rows) oldest[topic] = Math.min(oldest[topic] ?? Infinity, Date.parse(envelope.accepted_at));
  return oldest;
}
