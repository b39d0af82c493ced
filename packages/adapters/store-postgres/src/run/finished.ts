import { toleratedClockSkewMs } from '@sluice/contracts';
import { type RunStore, unitKeyText } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, type BulkRow, bulkRows } from '../bulk-rows';
import { retried } from '../transaction';

const units = bulkRows({ unit: 'integer', event_id: 'text', entity_index: 'integer', run: 'text' });

/** LIMIT inside LATERAL: one index probe per unit and time partition, independent of the planner's estimates. */
const finishedSql = `
  WITH r AS (SELECT * FROM ${units.from})
  SELECT r.unit FROM r, LATERAL (
    SELECT 1 FROM sync_events s WHERE s.event_id = r.event_id AND s.entity_index = r.entity_index AND s.run = r.run
      AND s.created_at BETWEEN $2 AND $3 LIMIT 1) found
  UNION ALL
  SELECT r.unit FROM r, LATERAL (
    SELECT 1 FROM held_events h WHERE h.event_id = r.event_id AND h.entity_index = r.entity_index AND h.run = r.run LIMIT 1) found`;

/** A sender may repeat an event under its Idempotency-Key for 24 h: its first acceptance lies that far back. */
const repeatWindowMs = 25 * 3600_000;

/** Units that have a record row or a held row, also under the ids they may have been accepted as before. */
export async function finished(pool: Pool, asked: Parameters<RunStore['finished']>[0]): Promise<Set<string>> {
  if (asked.length === 0) return new Set();
  const rows: BulkRow[] = [];
  let from = Infinity;
  let until = -Infinity;
  asked.forEach(({ eventId, entityIndex, run, acceptedAt, aliases = [] }, unit) => {
    for (const id of [eventId, ...aliases]) rows.push({ unit, event_id: id, entity_index: entityIndex, run });
    from = Math.min(from, Date.parse(acceptedAt));
    until = Math.max(until, Date.parse(acceptedAt));
  });
  const values = [bulkParameter(rows), new Date(from - repeatWindowMs), new Date(until + toleratedClockSkewMs)];
  const { rows: found } = await retried(() =>
    pool.query<{ unit: number }>({ name: 'finished-units', text: finishedSql, values }),
  );
  return new Set(found.map(({ unit }) => unitKeyText(asked[unit]!)));
}
