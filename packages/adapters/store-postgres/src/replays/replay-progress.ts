import { runOfReplayJob, type UnitKey } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, bulkRows } from '../bulk-rows';
import { retried } from '../transaction';

const units = bulkRows({ event_id: 'text', entity_index: 'integer' });

const underWaySql = `
  SELECT r.event_id, r.entity_index FROM record_replays r WHERE r.run = $1 AND NOT EXISTS (
    SELECT FROM sync_events s WHERE s.event_id = r.event_id AND s.entity_index = r.entity_index AND s.run = r.run
      AND s.created_at = r.accepted_at)`;

/**
 * The mark of a record has its accept time, whichever run it names: so one day of the outcomes is read for each, and not all of
 * them. A record without a mark is past its retention.
 */
const settledSql = `
  SELECT * FROM (
    SELECT r.event_id, r.entity_index, m.event_id IS NULL OR EXISTS (SELECT FROM sync_events s WHERE s.event_id = r.event_id
        AND s.entity_index = r.entity_index AND s.run = $2 AND s.created_at = m.accepted_at) AS ended,
      EXISTS (SELECT FROM held_events h WHERE h.event_id = r.event_id AND h.entity_index = r.entity_index AND h.run = $2) AS held
    FROM ${units.from} LEFT JOIN record_replays m USING (event_id, entity_index)) u
  WHERE ended OR held`;

/** See `ReplayJobStore.underWay`. */
export async function unitsUnderWay(pool: Pool, id: string): Promise<UnitKey[]> {
  const run = runOfReplayJob(id);
  const { rows } = await retried(() => pool.query(underWaySql, [run]));
  return rows.map((row) => ({ eventId: row.event_id, entityIndex: row.entity_index, run }));
}

/** See `ReplayJobStore.settled`. */
export async function settledUnits(
  pool: Pool, id: string, asked: readonly UnitKey[],
): Promise<{ ended: UnitKey[]; held: UnitKey[] }> {
  const run = runOfReplayJob(id);
  const values = [bulkParameter(asked.map(({ eventId, entityIndex }) => ({ event_id: eventId, entity_index: entityIndex }))),
    run];
  const { rows } = await retried(() => pool.query({ name: 'settled-replays', text: settledSql, values }));
  const which = (column: 'ended' | 'held'): UnitKey[] =>
    rows.filter((row) => row[column]).map((row) => ({ eventId: row.event_id, entityIndex: row.entity_index, run }));
  const ended = which('ended');
  const endedKeys = new Set(ended.map(({ eventId, entityIndex }) => `${entityIndex} ${eventId}`));
  return { ended, held: which('held').filter(({ eventId, entityIndex }) => !endedKeys.has(`${entityIndex} ${eventId}`)) };
}
