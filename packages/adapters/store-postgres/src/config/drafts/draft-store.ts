import type { DraftStore } from '@sluice/ports';
import type { PrismaClient } from '../../generated/client';
import { asId, inTransaction, json } from '../../config-client/config-client';
import { draftRow, versionRow } from '../config-rows';
import { publishVersion } from './publish-version';

const withoutBody = { connector_id: true, version: true, change_summary: true, published_by: true, published_at: true } as const;

/** Drafts and the versions published from them. */
export function createDraftStore(prisma: PrismaClient): DraftStore {
  const activeOf = async (connectorId: string) =>
    (await prisma.connector.findUnique({ where: { id: asId(connectorId) }, select: { active_version: true } }))?.active_version ??
    null;
  return {
    async get(given, empty) {
      const connectorId = asId(given);
      const row = await prisma.draft.findUnique({ where: { connector_id: connectorId } });
      if (row) return draftRow(row);
      const connector = await prisma.connector.findUnique({ where: { id: connectorId } });
      if (!connector) return null;
      // Of two concurrent first reads one creates the draft, and both read the same.
      await prisma.draft.createMany({
        data: { connector_id: connectorId, config: json(empty), base_version: connector.active_version ?? 0 },
        skipDuplicates: true,
      });
      return draftRow(await prisma.draft.findUniqueOrThrow({ where: { connector_id: connectorId } }));
    },

    save: (given, { config, expectedVersion, baseVersion, updatedBy }) => inTransaction(prisma, async (tx) => {
      const connectorId = asId(given);
      await tx.$queryRaw`SELECT 1 FROM drafts WHERE connector_id = ${connectorId}::uuid FOR UPDATE`;
      const draft = await tx.draft.findUnique({ where: { connector_id: connectorId } });
      if (!draft) return null;
      if (expectedVersion !== undefined && expectedVersion !== draft.draft_version)
        return { ok: false, draftVersion: draft.draft_version };
      const row = await tx.draft.update({
        where: { connector_id: connectorId },
        data: {
          config: json(config),
          base_version: baseVersion,
          draft_version: { increment: 1 },
          updated_by: updatedBy,
          updated_at: new Date(),
        },
      });
      return { ok: true, draft: draftRow(row) };
    }),

    publish: (version) => inTransaction(prisma, (tx) => publishVersion(tx, version)),

    async versions(connectorId, { limit, offset }) {
      const where = { connector_id: asId(connectorId) };
      const [rows, total, active] = await Promise.all([
        prisma.version.findMany({ where, orderBy: { version: 'desc' }, take: limit, skip: offset, select: withoutBody }),
        prisma.version.count({ where }),
        activeOf(connectorId),
      ]);
      return { items: rows.map((row) => versionRow(row, active)), total };
    },

    async version(connectorId, version) {
      const active = await activeOf(connectorId);
      const number = version === 'active' ? active : version;
      const row =
        number === null
          ? null
          : await prisma.version.findUnique({
              where: { connector_id_version: { connector_id: asId(connectorId), version: number } },
            });
      return row && { ...versionRow(row, active), config: row.config };
    },

    async sourceNames(connectorId) {
      const rows = await prisma.connectorSource.findMany({ where: { connector_id: asId(connectorId) }, select: { name: true } });
      return rows.map(({ name }) => name);
    },
  };
}
