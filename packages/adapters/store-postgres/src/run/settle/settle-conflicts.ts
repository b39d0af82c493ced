import type { ConflictRecord, Settlement } from '@sluice/ports';
import type { PoolClient } from 'pg';
import { bulkParameter, type BulkRow, bulkRows } from '../../bulk-rows';

const columns = {
  id: 'uuid',
  connector_id: 'uuid',
  entity_name: 'text',
  external_id: 'text',
  crm_id: 'text',
  property: 'text',
  source_value: 'text',
  target_value: 'text',
  target_modified_at: 'timestamptz',
  target_modified_by: 'text',
  winner: 'text',
  created_at: 'timestamptz',
} as const;

const rows = bulkRows(columns);
const insertSql = `INSERT INTO write_conflicts (${rows.names}) SELECT ${rows.values} FROM ${rows.from} ORDER BY r.id
  ON CONFLICT (id) DO NOTHING`;

/** Inserts the conflict records; one that an earlier attempt of the event has stored stays as it is. */
export async function settleConflicts(client: PoolClient, settlements: readonly Settlement[]): Promise<void> {
  const all = settlements.flatMap(({ conflicts }) => conflicts);
  if (all.length === 0) return;
  await client.query({ name: 'settle-conflicts', text: insertSql, values: [bulkParameter(all.map(bulkOf))] });
}

const bulkOf = (conflict: ConflictRecord): BulkRow & Record<keyof typeof columns, unknown> => ({
  id: conflict.id,
  connector_id: conflict.connectorId,
  entity_name: conflict.entityName,
  external_id: conflict.externalId,
  crm_id: conflict.crmId,
  property: conflict.property,
  source_value: conflict.sourceValue,
  target_value: conflict.targetValue,
  target_modified_at: conflict.targetModifiedAt,
  target_modified_by: conflict.targetModifiedBy,
  winner: conflict.winner,
  created_at: conflict.createdAt,
});
