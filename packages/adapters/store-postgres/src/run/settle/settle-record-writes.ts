import { laterPosition as laterOf, type RecordWriteNote, type Settlement } from '@sluice/ports';
import type { PoolClient } from 'pg';
import { bulkParameter, type BulkRow, bulkRows } from '../../bulk-rows';
import { takesPlaceOf } from '../later-position';
import { positionColumns, positionRow, takePosition } from '../position-columns';

const rows = bulkRows({ portal_id: 'text', object_type: 'text', crm_id: 'text', ...positionColumns });

const noteSql = `
  INSERT INTO record_writes AS m (${rows.names}) SELECT ${rows.values} FROM ${rows.from}
  ORDER BY r.portal_id, r.object_type, r.crm_id
  ON CONFLICT (portal_id, object_type, crm_id) DO UPDATE SET ${takePosition}, written_at = now()
  WHERE ${takesPlaceOf('excluded.position', 'm.position')}`;

/** Stores the positions of writes to records without a mapping. */
export async function settleRecordWrites(client: PoolClient, settlements: readonly Settlement[]): Promise<void> {
  const latest = new Map<string, RecordWriteNote>();
  for (const note of settlements.flatMap(({ recordWrites }) => recordWrites)) {
    const text = JSON.stringify([note.portalId, note.objectType, note.crmId]);
    latest.set(text, { ...note, position: laterOf(latest.get(text)?.position ?? null, note.position)! });
  }
  if (latest.size === 0) return;
  await client.query({ name: 'settle-record-writes', text: noteSql, values: [bulkParameter([...latest.values()].map(rowOf))] });
}

const rowOf = ({ portalId, objectType, crmId, position }: RecordWriteNote): BulkRow => ({
  portal_id: portalId,
  object_type: objectType,
  crm_id: crmId,
  ...positionRow(position),
});
