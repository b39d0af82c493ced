import { type Mapping, type MappingRemoval, mergeMapping, type Settlement } from '@sluice/ports';
import type { PoolClient } from 'pg';
import { bulkParameter, type BulkRow, bulkRows, keyText } from '../../bulk-rows';
import { laterPosition, takesPlaceOf } from '../later-position';
import { positionColumns, positionRow } from '../position-columns';

const columns = {
  connector_id: 'uuid',
  entity: 'text',
  external_id: 'text',
  portal_id: 'text',
  object_type: 'text',
  crm_id: 'text',
  binding_epoch: 'integer',
  ...positionColumns,
} as const;

const rows = bulkRows(columns);
/** The position changes only to one that replaces it (`laterPosition`). */
const keptOr = (name: string): string => `${name} = CASE WHEN m.binding_epoch = excluded.binding_epoch
  AND (excluded.position_offset IS NULL OR (m.position_offset IS NOT NULL AND NOT ${takesPlaceOf('excluded.position',
    'm.position')})) THEN m.${name} ELSE excluded.${name} END`;

/**
 * The same rules as `mergeMapping`. The lock makes a rebind wait for this transaction: what it then purges includes
 * these rows. Saves of another epoch find no row to join and vanish.
 */
const upsertSql = `
  WITH incoming AS (SELECT ${rows.values} FROM ${rows.from}),
  bound AS MATERIALIZED (
    SELECT connector_id, epoch FROM connector_bindings WHERE connector_id IN (SELECT connector_id FROM incoming) ORDER BY connector_id FOR KEY SHARE
  )
  INSERT INTO identity_mappings AS m (${rows.names})
  SELECT i.* FROM incoming i JOIN bound b ON b.connector_id = i.connector_id AND b.epoch = i.binding_epoch
  ORDER BY i.connector_id, i.entity, i.external_id
  ON CONFLICT (connector_id, entity, external_id) DO UPDATE SET
    portal_id = excluded.portal_id, object_type = excluded.object_type, crm_id = excluded.crm_id,
    binding_epoch = excluded.binding_epoch,
    ${Object.keys(positionColumns).map(keptOr).join(', ')}, updated_at = now()
  WHERE CASE
    WHEN m.binding_epoch <> excluded.binding_epoch THEN true
    WHEN excluded.position_offset IS NULL THEN (m.portal_id, m.object_type, m.crm_id) IS DISTINCT FROM (excluded.portal_id,
      excluded.object_type, excluded.crm_id)
    WHEN m.position_offset IS NULL THEN true
    ELSE ${laterPosition('excluded.position', 'm.position', '=')}
  END`;

/** Per epoch: the statement decides which epoch counts. */
const mapKey = ({ connectorId, entity, externalId, bindingEpoch }: Mapping | MappingRemoval): string =>
  JSON.stringify([connectorId, entity, externalId, bindingEpoch]);

/** Saves the identity mappings, the newest accept position winning. */
export async function settleMappings(client: PoolClient, settlements: readonly Settlement[]): Promise<void> {
  const unique = new Map<string, Mapping>();
  for (const { mappings, mappingsRemoved } of settlements) {
    // All removals of the call come first: what an earlier settlement saves and a later one removes is not saved at all.
    for (const removal of mappingsRemoved)
      if (unique.get(mapKey(removal))?.crmId === removal.crmId) unique.delete(mapKey(removal));
    for (const mapping of mappings) {
      const key = mapKey(mapping);
      unique.set(key, mergeMapping(unique.get(key), mapping));
    }
  }
  if (unique.size === 0) return;
  await client.query({ name: 'settle-mappings', text: upsertSql, values: [bulkParameter([...unique.values()].map(bulkOf))] });
}

const bulkOf = (mapping: Mapping): BulkRow & Record<keyof typeof columns, unknown> => ({
  connector_id: mapping.connectorId,
  entity: mapping.entity,
  external_id: keyText(mapping.externalId),
  portal_id: mapping.portalId,
  object_type: mapping.objectType,
  crm_id: mapping.crmId,
  binding_epoch: mapping.bindingEpoch,
  ...positionRow(mapping.position),
});
