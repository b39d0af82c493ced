import type { KeptPayload, ReadRecord } from '@sluice/ports';
import type { Pool } from 'pg';
import { asId } from '../config-client/config-client';
import { retried } from '../transaction';
import { acceptedOf } from './accepted-unit';
import { recordColumns, recordRowOf } from './record-row';
import { canBeReplayed } from './replayable';

const rowSql = `SELECT ${recordColumns}, steps, ${canBeReplayed} AS can_be_replayed
  FROM sync_events s WHERE id = $1 AND connector_id = $2`;

/** The run's own payload, else that of the first run. */
const payloadSql = `
  SELECT i.*, p.payload::text AS payload
  FROM event_index i LEFT JOIN event_payloads p USING (event_id, entity_index, run, accepted_at)
  WHERE i.event_id = $1 AND i.entity_index = $2 AND i.accepted_at = $3 AND i.connector_id = $4
  ORDER BY (i.run = $5) DESC, (i.run = 'first') DESC LIMIT 1`;

interface PayloadColumns {
  payload_ref: string | null;
  payload_bytes: number | null;
  payload: string | null;
}

export function keptPayload(found: PayloadColumns | undefined): KeptPayload {
  if (!found) return null;
  if (found.payload !== null) return { text: found.payload };
  return found.payload_ref === null ? null : { ref: { key: found.payload_ref, bytes: found.payload_bytes } };
}

/** One row of a connector with its steps, and the payload of its event. */
export async function getRecord(
  pool: Pool, connectorId: string, id: string,
): Promise<ReadRecord | null> {
  const { rows } = await retried(() => pool.query(rowSql, [asId(id), asId(connectorId)]));
  if (rows.length === 0) return null;
  const row = recordRowOf(rows[0]);
  const { eventId, entityIndex, run } = row.unit;
  const values = [eventId, entityIndex, row.createdAt, row.connectorId, run];
  const { rows: events } = await retried(() => pool.query(payloadSql, values));
  const accepted = events.length === 0 ? null : acceptedOf(events[0]);
  return { row, replayable: rows[0].can_be_replayed, payload: keptPayload(events[0]), accepted };
}
