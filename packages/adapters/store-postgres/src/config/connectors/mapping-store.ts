import type { IdentityMappingRow, MappingStore } from '@sluice/ports';
import { keyText } from '../../bulk-rows';
import type { IdentityMapping, PrismaClient } from '../../generated/client';
import { asId, inTransaction, isUuid, type Transaction } from '../../config-client/config-client';
import { announce, lockConnector } from '../../config-client/connector-changes';

/** Identity mappings as people look at them and correct them. */
export function createMappingStore(prisma: PrismaClient): MappingStore {
  return {
    count: (connectorId, entity) =>
      prisma.identityMapping.count({ where: { connector_id: asId(connectorId), ...(entity === null ? {} : { entity }) } }),

    async find(connectorId, entity, externalId) {
      const where = { connector_id: asId(connectorId), entity, external_id: keyText(externalId) };
      const row = await prisma.identityMapping.findUnique({ where: { connector_id_entity_external_id: where } });
      return row && mappingRow(row);
    },

    async findByRecord(connectorId, entity, { objectType, crmId }) {
      const where = { connector_id: asId(connectorId), entity, object_type: objectType, crm_id: crmId };
      const row = await prisma.identityMapping.findFirst({ where });
      return row && mappingRow(row);
    },

    save: (mapping) => inTransaction(prisma, async (tx) => {
      const { connectorId, entity, externalId, portalId, objectType, crmId, bindingEpoch } = mapping;
      if (!isUuid(connectorId)) return 'binding_changed';
      if (!(await lockBinding(tx, connectorId, bindingEpoch))) return 'binding_changed';
      const record = { connector_id: connectorId, entity, object_type: objectType, crm_id: crmId };
      if (await tx.identityMapping.findFirst({ where: record })) return 'taken';
      const { count } = await tx.identityMapping.createMany({
        data: { ...record, external_id: keyText(externalId), portal_id: portalId, binding_epoch: bindingEpoch },
        skipDuplicates: true,
      });
      return count === 1 ? 'saved' : 'taken';
    }),

    restore: (connectorId, bindingEpoch, mappings) => inTransaction(prisma, async (tx) => {
      if (!isUuid(connectorId) || !(await lockBinding(tx, connectorId, bindingEpoch))) return 'binding_changed';
      const keys = mappings.map(({ entity, externalId }, index) => ({ index, entity, external_id: keyText(externalId) }));
      const found = await tx.$queryRawUnsafe<PresentRow[]>(presentSql, connectorId, JSON.stringify(keys));
      const present = found.map((row) => ({ ...mappingRow(row), externalId: mappings[row.index]!.externalId }));
      const { count } = await tx.identityMapping.createMany({
        data: mappings.map(({ entity, externalId, portalId, objectType, crmId }) => ({
          connector_id: connectorId, entity, external_id: keyText(externalId), portal_id: portalId, object_type: objectType,
          crm_id: crmId, binding_epoch: bindingEpoch,
        })),
        skipDuplicates: true,
      });
      return { saved: count, present };
    }),

    async remove(connectorId, entity, externalId) {
      if (!isUuid(connectorId)) return false;
      return inTransaction(prisma, async (tx) => {
        if (!(await lockConnector(tx, connectorId))) return false;
        const where = { connector_id: connectorId, entity, external_id: keyText(externalId) };
        if ((await tx.identityMapping.deleteMany({ where })).count === 0) return false;
        await tx.connector.update({ where: { id: connectorId }, data: { mappings_removed: { increment: 1 } } });
        await announce(tx, [connectorId]);
        return true;
      });
    },
  };
}

/**
 * Saves of a connector follow each other; a rebind waits for the transaction, and then purges what it saved.
 * @returns false: another binding is in force
 */
async function lockBinding(tx: Transaction, connectorId: string, bindingEpoch: number): Promise<boolean> {
  if (!(await lockConnector(tx, connectorId))) return false;
  const bound = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM connector_bindings WHERE connector_id = ${connectorId}::uuid AND epoch = ${bindingEpoch} FOR KEY SHARE`;
  return bound.length > 0;
}

/** With the place of the mapping that was given. */
type PresentRow = IdentityMapping & { index: number };
const presentSql = `
  SELECT m.*, k.index FROM json_to_recordset($2::json) AS k (index integer, entity text, external_id text)
  JOIN identity_mappings m ON m.connector_id = $1::uuid AND m.entity = k.entity AND m.external_id = k.external_id`;

const mappingRow = ({ entity, external_id, object_type, crm_id }: IdentityMapping): IdentityMappingRow => ({
  entity, externalId: external_id, objectType: object_type, crmId: crm_id,
});
