import type { KeptPayload, ReadRecord } from '@sluice/ports';
import type { Pool } from 'pg';
import { asId } from '../config-client/config-client';
import type { KeptRows } from '../kept-rows';
import { retried } from '../transaction';
import { acceptedOf } from './accepted-unit';
import { recordColumns, recordRowOf } from './record-row';
import { canBeReplayed } from './replayable';

const rowSql = ({ records }: KeptRows): string => `SELECT ${recordColumns}, steps, ${canBeReplayed} AS can_be_replayed
  FROM ${records} s WHERE id = $1 AND connector_id = $2`;

/** An accepted unit with the run's own payload, else with that of the first run. No row: the payload is past its retention. */
export const acceptedSql = ({ eventsWithPayload }: KeptRows): string => `
  SELECT i.*, i.payload::text AS payload FROM ${eventsWithPayload} i
  WHERE i.event_id = $1 AND i.entity_index = $2 AND i.accepted_at = $3 AND i.connector_id = $4::uuid
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
  pool: Pool, kept: KeptRows, connectorId: string, id: string,
): Promise<ReadRecord | null> {
  const { rows } = await retried(() => pool.query(rowSql(kept), [asId(id), asId(connectorId)]));
  if (rows.length === 0) return null;
  const row = recordRowOf(rows[0]);
  const { eventId, entityIndex, run } = row.unit;
  const values = [eventId, entityIndex, row.createdAt, row.connectorId, run];
  const { rows: events } = await retried(() => pool.query(acceptedSql(kept), values));
  const accepted = events.length === 0 ? null : acceptedOf(events[0]);
  return { row, replayable: rows[0].can_be_replayed, payload: keptPayload(events[0]), accepted };
}
