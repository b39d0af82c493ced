import type { PartitionRef, RunStore } from '@sluice/ports';
import type { Pool } from 'pg';
import { retried } from '../transaction';

const here = 'h.connector_id = $1 AND h.topic = $2 AND h.partition = $3';

/** One index probe per epoch, from one to the next, so that few rows are read for any number of held ones. */
const orderingsSql = `
  WITH RECURSIVE epochs AS (
    (SELECT h.ordering_epoch AS epoch FROM held_events h WHERE ${here} ORDER BY h.ordering_epoch LIMIT 1)
    UNION ALL
    SELECT (
      SELECT h.ordering_epoch FROM held_events h WHERE ${here} AND h.ordering_epoch > e.epoch ORDER BY h.ordering_epoch LIMIT 1)
    FROM epochs e WHERE e.epoch IS NOT NULL)
  SELECT e.epoch, first."offset", first.lane FROM epochs e, LATERAL (
    SELECT h."offset", h.lane FROM held_events h WHERE ${here} AND h.ordering_epoch = e.epoch AND h.scope NOT LIKE 'event:%'
    ORDER BY h."offset" LIMIT 1) first`;

/** The offset of the oldest held event of each ordering of a connector, and its lane; events that stepped aside do not count. */
export async function heldOrderings(pool: Pool, ref: PartitionRef, connectorId: string): ReturnType<RunStore['heldOrderings']> {
  const values = [connectorId, ref.topic, ref.partition];
  const { rows } = await retried(() => pool.query({ name: 'held-orderings', text: orderingsSql, values }));
  return rows.map((row) => ({ epoch: row.epoch, offset: BigInt(row.offset), lane: row.lane }));
}
