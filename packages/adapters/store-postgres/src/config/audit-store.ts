import { type AuditQuery, type AuditRow, type AuditStore, listCursor } from '@sluice/ports';
import type { AuditEntry as StoredEntry, Prisma, PrismaClient } from '../generated/client';
import { addAuditEntry } from '../config-client/add-audit-entry';
import { asId } from '../config-client/config-client';

/** The audit log: read here, written here for what changed nothing, and by `inTransaction` for changes. */
export function createAuditStore(prisma: PrismaClient): AuditStore {
  return {
    add: (entry) => addAuditEntry(prisma, entry),

    async list(organizationId, { since, until, action, cursor, limit }) {
      const where: Prisma.AuditEntryWhereInput = {
        organization_id: asId(organizationId),
        ...(action !== undefined && { action }),
        ...atBetween({ since, until }),
        ...before(cursor),
      };
      const rows = await prisma.auditEntry.findMany({ where, orderBy: { id: 'desc' }, take: limit + 1 });
      const shown = rows.slice(0, limit);
      return { items: shown.map(auditRow), nextCursor: rows.length > limit ? cursors.of([String(shown.at(-1)!.id)]) : null };
    },

    async sweep(limitAt, most) {
      const [row] = await prisma.$queryRaw<[{ deleted: number }]>`
        SELECT sluice_delete_old_audit_entries(${limitAt}, ${most}::int) AS deleted`;
      return row.deleted;
    },
  };
}

function atBetween({ since, until }: Pick<AuditQuery, 'since' | 'until'>): Prisma.AuditEntryWhereInput {
  return since || until ? { at: { ...(since && { gte: since }), ...(until && { lt: until }) } } : {};
}

const cursors = listCursor('audit', 'bigint');

function before(cursor: string | undefined): Prisma.AuditEntryWhereInput {
  const place = cursors.read(cursor);
  return place === null ? {} : { id: { lt: BigInt(place[0]) } };
}

function auditRow(row: StoredEntry): AuditRow {
  return {
    id: String(row.id),
    at: row.at,
    organizationId: row.organization_id,
    actor: { type: row.actor_type as AuditRow['actor']['type'], id: row.actor_id, label: row.actor_label },
    action: row.action,
    target: { type: row.target_type, id: row.target_id },
    ip: row.ip,
    requestId: row.request_id,
    outcome: row.outcome as AuditRow['outcome'],
    reason: row.reason,
  };
}
