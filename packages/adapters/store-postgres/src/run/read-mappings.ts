import type { Mapping, MappingKey } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, bulkRows, keyText } from '../bulk-rows';
import { retried } from '../transaction';

const keys = bulkRows({ asked: 'integer', connector_id: 'uuid', entity: 'text', external_id: 'text' });

const readSql = `
  SELECT r.asked, m.* FROM ${keys.from}, LATERAL (
    SELECT portal_id, object_type, crm_id, binding_epoch, position_partition, position_offset, position_accepted_at
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
  return found.rows.map((row) => {
    const { connectorId, entity, externalId } = asked[row.asked]!;
    const position =
      row.position_offset === null
        ? null
        : {
            partition: row.position_partition,
            offset: BigInt(row.position_offset),
            acceptedAt: row.position_accepted_at.toISOString(),
          };
    return {
      connectorId,
      entity,
      externalId,
      portalId: row.portal_id,
      objectType: row.object_type,
      crmId: row.crm_id,
      bindingEpoch: row.binding_epoch,
      position,
    };
  });
}
