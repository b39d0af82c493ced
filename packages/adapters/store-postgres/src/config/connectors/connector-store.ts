import { randomUUID } from 'node:crypto';
import { type ConnectorStore, type NewApiKey, type NewConnector, noteAudit } from '@sluice/ports';
import type { PrismaClient } from '../../generated/client';
import { assertKeyFits } from './assert-key-fits';
import { bind, portalCredentials, portalOf } from './binding';
import { asId, inTransaction, isUuid, json, type Transaction } from '../../config-client/config-client';
import { apiKeyRow, connectorRow, withCap } from '../config-rows';
import { exportsAfterDeletion } from '../../exports/connector-deleted';
import { releaseWriteCap } from './release-write-cap';
import { announce, lockConnector, lockOrganization, usableKeys } from '../../config-client/connector-changes';
import { newKeyRow } from './new-key-row';
import { tearDownAll } from '../../plugins/plugin-hooks';
import { raiseWidth } from './raise-width';
import { updateConnector } from './update-connector';

/** Connectors and their event-plane keys. Whatever changes one announces it. */
export function createConnectorStore(prisma: PrismaClient): ConnectorStore {
  return {
    create: (connector) => inTransaction(prisma, (tx) => createConnector(tx, connector)),
    update: (organizationId, id, patch) => inTransaction(prisma, (tx) => updateConnector(tx, organizationId, id, patch)),

    raiseWidth: (id, width, leadMs) => inTransaction(prisma, (tx) => raiseWidth(tx, id, width, leadMs)),

    async list(organizationId, { limit, offset }) {
      const where = { organization_id: asId(organizationId), deleted_at: null };
      const [rows, total] = await Promise.all([
        prisma.connector.findMany({
          where, include: withCap, orderBy: [{ created_at: 'desc' }, { id: 'asc' }], take: limit, skip: offset,
        }),
        prisma.connector.count({ where }),
      ]);
      return { items: rows.map(connectorRow), total };
    },

    async get(organizationId, id) {
      if (!isUuid(id)) return null;
      const where = { id, organization_id: asId(organizationId), deleted_at: null };
      const row = await prisma.connector.findFirst({ where, include: withCap });
      return row && connectorRow(row);
    },

    async delete(organizationId, id) {
      if (!isUuid(id)) return false;
      return inTransaction(prisma, async (tx) => {
        const connector = await lockConnector(tx, id);
        if (connector?.organization_id !== organizationId) return false;
        await tx.connector.update({ where: { id }, data: { deleted_at: new Date() } });
        await exportsAfterDeletion(tx, organizationId, id);
        await tearDownAll(tx, connector);
        await announce(tx, [id]);
        return true;
      });
    },

    createKey: (connectorId, key) => inTransaction(prisma, async (tx) => {
      if (!(await lockConnector(tx, connectorId))) return null;
      assertKeyFits(key, await tx.connectorApiKey.count({ where: { connector_id: connectorId, ...usableKeys(new Date()) } }));
      const row = await addKey(tx, connectorId, key);
      await announce(tx, [connectorId]);
      return row;
    }),

    async keys(connectorId, { limit, offset }) {
      const where = { connector_id: asId(connectorId) };
      const [rows, total] = await Promise.all([
        prisma.connectorApiKey.findMany({ where, orderBy: [{ created_at: 'desc' }, { id: 'asc' }], take: limit, skip: offset }),
        prisma.connectorApiKey.count({ where }),
      ]);
      return { items: rows.map(apiKeyRow), total };
    },

    async revokeKey(connectorId, keyId) {
      if (!isUuid(keyId)) return false;
      return inTransaction(prisma, async (tx) => {
        if (!(await lockConnector(tx, connectorId))) return false;
        const key = await tx.connectorApiKey.findFirst({ where: { id: keyId, connector_id: connectorId } });
        if (!key || key.revoked_at !== null) return key !== null;
        await tx.connectorApiKey.update({ where: { id: keyId }, data: { revoked_at: new Date() } });
        await announce(tx, [connectorId]);
        return true;
      });
    },

    releaseWriteCap: (organizationId, id) => inTransaction(prisma, (tx) => releaseWriteCap(tx, organizationId, id)),

    async noteKeyUse(uses) {
      // Locked in one order: two instances telling of the same keys must not wait for each other.
      await inTransaction(prisma, (tx) => tx.$executeRaw`
        WITH used AS (SELECT hash, max(at) AS at FROM unnest(${uses.map(({ hash }) => hash)}::text[],
          ${uses.map(({ at }) => at)}::timestamptz[]) AS u (hash, at) GROUP BY hash),
          locked AS (SELECT k.id, used.at FROM connector_api_keys k JOIN used ON used.hash = k.key_hash ORDER BY k.id FOR NO KEY UPDATE OF k)
        UPDATE connector_api_keys k SET last_used_at = greatest(k.last_used_at, locked.at) FROM locked WHERE k.id = locked.id`);
    },
  };
}

async function createConnector(tx: Transaction, connector: NewConnector): ReturnType<ConnectorStore['create']> {
  const { organizationId: organization_id, connectorsLimit } = connector;
  if (!(await lockOrganization(tx, organization_id))) return { ok: false, reason: 'not_found' };
  const usage = await tx.connector.count({ where: { organization_id, deleted_at: null } });
  if (connectorsLimit !== null && usage >= connectorsLimit) return { ok: false, reason: 'limit_reached', usage };
  if (connector.apiKey) assertKeyFits(connector.apiKey, 0);
  const portals = await portalCredentials(tx, organization_id);
  const portal = portalOf(connector.credentialId, portals);
  if (connector.credentialId !== null && portal === null) return { ok: false, reason: 'bad_credential' };
  const id = randomUUID();
  const { name, mode, credentialId: credential_id, createdById: created_by_id } = connector;
  const created = await tx.connector.create({ data: { id, organization_id, name, mode, credential_id, created_by_id } });
  await bind(tx, created, portal);
  const apiKey = connector.apiKey && (await addKey(tx, id, connector.apiKey));
  const { draft } = connector;
  if (draft) await tx.draft.create({ data: { connector_id: id, config: json(draft.config), updated_by: draft.updatedBy } });
  noteAudit({ targetId: id });
  await announce(tx, [id]);
  const row = await tx.connector.findUniqueOrThrow({ where: { id }, include: withCap });
  return { ok: true, connector: connectorRow(row), apiKey };
}

async function addKey(tx: Transaction, connectorId: string, key: NewApiKey) {
  return apiKeyRow(await tx.connectorApiKey.create({ data: { connector_id: connectorId, ...newKeyRow(key) } }));
}
