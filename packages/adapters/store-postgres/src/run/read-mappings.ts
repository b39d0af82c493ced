import type { CrmRecordKey, Mapping, MappingKey } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, bulkRows, keyText } from '../bulk-rows';
import { retried } from '../transaction';
import { positionColumns } from './position-columns';

const keys = bulkRows({ asked: 'integer', connector_id: 'uuid', entity: 'text', external_id: 'text' });

const readSql = `
  SELECT r.asked, m.* FROM ${keys.from}, LATERAL (
    SELECT portal_id, object_type, crm_id, binding_epoch, ${Object.keys(positionColumns).join(', ')}
    FROM identity_mappings m WHERE m.connector_id = r.connector_id AND m.entity = r.entity AND m.external_id = r.external_id LIMIT 1) m`;

/** The mappings that exist among the keys, in no order. */
export async function readMappings(pool: Pool, asked: readonly MappingKey[]): Promise<Mapping[]> {
  if (asked.length === 0) return [];
  const rows = asked.map((key, index) => ({
    asked: index,
    connector_id: key.connectorId,
    entity: key.entity,
    external_id: keyText(key.externalId),
  }));
  const found = await retried(() => pool.query({ name: 'read-mappings', text: readSql, values: [bulkParameter(rows)] }));
  return found.rows.map((row) => mappingOf(asked[row.asked]!, row));
}

const records = bulkRows({ portal_id: 'text', object_type: 'text', crm_id: 'text' });

const toSql = `
  SELECT m.* FROM ${records.from} JOIN identity_mappings m USING (portal_id, object_type, crm_id)`;

/**
 * The mappings of every connector that lead to one of the records. An external id that is too long for a key is returned as its
 * digest.
 */
export async function mappingsTo(pool: Pool, asked: readonly CrmRecordKey[]): Promise<Mapping[]> {
  if (asked.length === 0) return [];
  const rows = asked.map(({ portalId, objectType, crmId }) => ({ portal_id: portalId, object_type: objectType, crm_id: crmId }));
  const found = await retried(() => pool.query({ name: 'mappings-to', text: toSql, values: [bulkParameter(rows)] }));
  return found.rows.map((row) =>
    mappingOf({ connectorId: row.connector_id, entity: row.entity, externalId: row.external_id }, row),
  );
}

interface MappingRow {
  portal_id: string;
  object_type: string;
  crm_id: string;
  binding_epoch: number;
  position_partition: number | null;
  position_offset: string | null;
  position_accepted_at: Date | null;
}

function mappingOf({ connectorId, entity, externalId }: MappingKey, row: MappingRow): Mapping {
  const { position_partition: partition, position_offset: offset, position_accepted_at: at } = row;
  return {
    connectorId,
    entity,
    externalId,
    portalId: row.portal_id,
    objectType: row.object_type,
    crmId: row.crm_id,
    bindingEpoch: row.binding_epoch,
    position: offset === null ? null : { partition: partition!, offset: BigInt(offset), acceptedAt: at!.toISOString() },
  };
}
