import { randomUUID } from 'node:crypto';
import type { FoundInvitation, InvitationRow, InvitationStore, NewInvitation, Role } from '@sluice/ports';
import { noteAudit } from '@sluice/ports';
import type { Invitation, PrismaClient } from '../../generated/client';
import { acceptInvitation } from './accept-invitation';
import { addMail } from '../mails/add-mail';
import { asId, inTransaction, isUuid, type Transaction } from '../../config-client/config-client';
import { lockOrganization } from '../../config-client/connector-changes';
import { inMs } from '../../config-client/database-time';
import { seatRefusal } from '../organizations/seats';

type InvitationWithInviter = Invitation & { invited_by: { id: string; email: string } | null };
const withInviter = { invited_by: { select: { id: true, email: true } } };

/** Invitations, open while nothing has ended them. Whatever opens or takes one holds the lock of its organization. */
export function createInvitationStore(prisma: PrismaClient): InvitationStore {
  return {
    create: (invitation) => inTransaction(prisma, (tx) => createInvitation(tx, invitation)),

    async list(organizationId, { limit, offset }) {
      const open = { organization_id: asId(organizationId), accepted_at: null, revoked_at: null };
      const [clock] = await prisma.$queryRaw<{ now: Date }[]>`SELECT now()`;
      const where = { ...open, expires_at: { gt: clock!.now } };
      const [rows, total] = await Promise.all([
        prisma.invitation.findMany({
          where, include: withInviter, take: limit, skip: offset, orderBy: [{ created_at: 'desc' }, { id: 'asc' }],
        }),
        prisma.invitation.count({ where }),
      ]);
      return { items: rows.map(invitationRow), total };
    },

    revoke: (organizationId, id) => inTransaction(prisma, async (tx) => {
      if (!isUuid(id) || !(await lockOrganization(tx, organizationId))) return false;
      const revoked = await tx.$executeRaw`
        UPDATE invitations SET revoked_at = now()
        WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid
          AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now()`;
      return revoked === 1;
    }),

    async find(tokenHash) {
      const [row] = await prisma.$queryRaw<FoundInvitation[]>`
        SELECT i.id, i.organization_id AS "organizationId", o.name AS "organizationName", i.email, i.role, u.id AS "userId",
          CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted' WHEN i.revoked_at IS NOT NULL OR o.state = 'closed' THEN 'revoked'
            WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END AS state
        FROM invitations i JOIN organizations o ON o.id = i.organization_id LEFT JOIN users u ON u.email = i.email
        WHERE i.token_hash = ${tokenHash}`;
      return row ?? null;
    },

    accept: (tokenHash, acceptor) => acceptInvitation(prisma, tokenHash, acceptor),
  };
}

async function createInvitation(tx: Transaction, invitation: NewInvitation): ReturnType<InvitationStore['create']> {
  const { organizationId, email, mail } = invitation;
  await lockOrganization(tx, organizationId);
  const organization = await tx.organization.findUniqueOrThrow({ where: { id: organizationId } });
  if (organization.state === 'closing') return { ok: false, reason: 'organization_closing' };
  const member = await tx.membership.count({ where: { organization_id: organizationId, user: { email } } });
  if (member > 0) return { ok: false, reason: 'already_member' };
  const [open] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM invitations WHERE organization_id = ${organizationId}::uuid AND email = ${email}
      AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now()`;
  if (!open) {
    const refusal = await seatRefusal(tx, organization);
    if (refusal) return refusal;
  }
  const id = open && mail === null ? open.id : await replace(tx, invitation, open?.id);
  if (mail) await addMail(tx, mail);
  noteAudit({ targetId: id });
  return { ok: true, invitation: invitationRow(await tx.invitation.findUniqueOrThrow({ where: { id }, include: withInviter })) };
}

/** Adds an invitation; an open one of the address ends. Answers the id. */
async function replace(
  tx: Transaction,
  { organizationId, email, role, tokenHash, invitedById, ttlMs }: NewInvitation,
  openId: string | undefined,
): Promise<string> {
  const id = randomUUID();
  if (openId !== undefined) await tx.$executeRaw`UPDATE invitations SET revoked_at = now() WHERE id = ${openId}::uuid`;
  await tx.$executeRaw`
    INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by_id, expires_at)
    VALUES (${id}::uuid, ${organizationId}::uuid, ${email}, ${role}, ${tokenHash}, ${invitedById}::uuid, ${inMs(ttlMs)})`;
  return id;
}

const invitationRow = (row: InvitationWithInviter): InvitationRow => ({
  id: row.id, email: row.email, role: row.role as Role, createdAt: row.created_at, expiresAt: row.expires_at,
  invitedBy: row.invited_by,
});
