import { randomUUID } from 'node:crypto';
import { type CompatKeyRow, type CompatKeyStore, noteAudit } from '@sluice/ports';
import type { CompatKey, PrismaClient } from '../../generated/client';
import { assertKeyFits } from './assert-key-fits';
import { asId, inTransaction, isUuid } from '../../config-client/config-client';
import { lockConnector } from '../../config-client/connector-changes';

/** Keys of the legacy-compatible ingress. They are looked up by whoever is called with one, so no change is announced. */
export function createCompatKeyStore(prisma: PrismaClient): CompatKeyStore {
  return {
    create: (connectorId, key) => inTransaction(prisma, async (tx) => {
      // Under the lock, two imports of one value cannot both find it missing.
      if (!(await lockConnector(tx, connectorId))) return null;
      const known = await tx.compatKey.findFirst({ where: { connector_id: connectorId, key_hash: key.hash } });
      if (known) return 'duplicate';
      assertKeyFits(key, await tx.compatKey.count({ where: { connector_id: connectorId, revoked_at: null } }));
      const id = randomUUID();
      noteAudit({ targetId: id });
      const { label, hash: key_hash, createdById: created_by_id } = key;
      return compatKeyRow(await tx.compatKey.create({ data: { id, connector_id: connectorId, label, key_hash, created_by_id } }));
    }),

    async use(connectorId, hash) {
      // Written at most once a minute: a key in steady use is not locked by every call.
      const [key] = await prisma.$queryRaw<{ id: string }[]>`
        WITH key AS (
            SELECT id, last_used_at FROM compat_keys
            WHERE connector_id = ${asId(connectorId)}::uuid AND key_hash = ${hash} AND revoked_at IS NULL),
          noted AS (
            UPDATE compat_keys k SET last_used_at = now() FROM key
            WHERE k.id = key.id AND (key.last_used_at IS NULL OR key.last_used_at < now() - interval '1 minute'))
        SELECT id FROM key`;
      return key ?? null;
    },

    async list(connectorId, { limit, offset }) {
      const where = { connector_id: asId(connectorId) };
      const [rows, total] = await Promise.all([
        prisma.compatKey.findMany({ where, orderBy: [{ created_at: 'desc' }, { id: 'asc' }], take: limit, skip: offset }),
        prisma.compatKey.count({ where }),
      ]);
      return { items: rows.map(compatKeyRow), total };
    },

    async revoke(connectorId, keyId) {
      if (!isUuid(keyId)) return false;
      return inTransaction(prisma, async (tx) => {
        if (!(await lockConnector(tx, connectorId))) return false;
        const key = await tx.compatKey.findFirst({ where: { id: keyId, connector_id: connectorId } });
        if (!key || key.revoked_at !== null) return key !== null;
        await tx.compatKey.update({ where: { id: keyId }, data: { revoked_at: new Date() } });
        return true;
      });
    },
  };
}

const compatKeyRow = ({ id, label, created_at, last_used_at, revoked_at }: CompatKey): CompatKeyRow =>
  ({ id, label, createdAt: created_at, lastUsedAt: last_used_at, revokedAt: revoked_at });
