import { laterPosition as laterOf, type MappingRemoval, type Settlement } from '@sluice/ports';
import type { PoolClient } from 'pg';
import { bulkParameter, type BulkRow, bulkRows, keyText } from '../../bulk-rows';
import { takesPlaceOf } from '../later-position';
import { positionColumns, positionRow, takePosition } from '../position-columns';

const key = { connector_id: 'uuid', entity: 'text', external_id: 'text' } as const;
const removed = bulkRows({ ...key, portal_id: 'text', object_type: 'text', crm_id: 'text' });
const noted = bulkRows({ ...key, ...positionColumns });

/** Only if it still points to the deleted record: another unit may have created a new one meanwhile. */
const removeSql = `
  DELETE FROM identity_mappings m USING ${removed.from}
  WHERE m.connector_id = r.connector_id AND m.entity = r.entity AND m.external_id = r.external_id
    AND m.portal_id = r.portal_id AND m.object_type = r.object_type AND m.crm_id = r.crm_id`;

const noteSql = `
  INSERT INTO mapping_removals AS m (${noted.names}) SELECT ${noted.values} FROM ${noted.from}
  ORDER BY r.connector_id, r.entity, r.external_id
  ON CONFLICT (connector_id, entity, external_id) DO UPDATE SET ${takePosition}, removed_at = now()
  WHERE ${takesPlaceOf('excluded.position', 'm.position')}`;

/** Removes the mappings of deleted records, and stores the position of each deletion. */
export async function settleRemovals(client: PoolClient, settlements: readonly Settlement[]): Promise<void> {
  const removals = settlements.flatMap(({ mappingsRemoved }) => mappingsRemoved);
  if (removals.length === 0) return;
  const latest = new Map<string, MappingRemoval>();
  for (const removal of removals) {
    const text = JSON.stringify([removal.connectorId, removal.entity, keyText(removal.externalId)]);
    const known = latest.get(text);
    latest.set(text, { ...removal, position: laterOf(known?.position ?? null, removal.position)! });
  }
  await client.query({ name: 'settle-mappings-removed', text: removeSql, values: [bulkParameter(removals.map(removedRow))] });
  await client.query({ name: 'settle-removals', text: noteSql, values: [bulkParameter([...latest.values()].map(notedRow))] });
}

const keyOf = ({ connectorId, entity, externalId }: MappingRemoval): BulkRow => ({
  connector_id: connectorId,
  entity,
  external_id: keyText(externalId),
});

const removedRow = (removal: MappingRemoval): BulkRow => ({
  ...keyOf(removal),
  portal_id: removal.portalId,
  object_type: removal.objectType,
  crm_id: removal.crmId,
});

const notedRow = (removal: MappingRemoval): BulkRow => ({ ...keyOf(removal), ...positionRow(removal.position) });
