import type { OrganizationState, Tier } from '@sluice/contracts';
import type { MemberRefusal, MemberRow, MemberStore, Role } from '@sluice/ports';
import type { Membership, PrismaClient, User } from '../../generated/client';
import { asId, inTransaction, isUuid, type Transaction } from '../../config-client/config-client';
import { lockOrganization } from '../../config-client/connector-changes';

/** Who belongs to which organization. Whatever changes that holds the lock of the organization, so that one owner is left. */
export function createMemberStore(prisma: PrismaClient): MemberStore {
  return {
    async organizationsOf(userId, { limit, offset }) {
      const where = { user_id: asId(userId) };
      const [rows, total] = await Promise.all([
        prisma.membership.findMany({
          where, include: { organization: true }, take: limit, skip: offset,
          orderBy: [{ created_at: 'asc' }, { organization_id: 'asc' }],
        }),
        prisma.membership.count({ where }),
      ]);
      const items = rows.map(({ organization: { id, name, tier, state }, role }) => ({
        organizationId: id, name, tier: tier as Tier, state: state as OrganizationState, role: role as Role,
      }));
      return { items, total };
    },

    async roleIn(organizationId, userId) {
      const where = { organization_id_user_id: { organization_id: asId(organizationId), user_id: asId(userId) } };
      return ((await prisma.membership.findUnique({ where }))?.role as Role | undefined) ?? null;
    },

    async list(organizationId, { limit, offset }) {
      const where = { organization_id: asId(organizationId) };
      const [rows, total] = await Promise.all([
        prisma.membership.findMany({
          where, include: { user: true }, take: limit, skip: offset, orderBy: [{ created_at: 'asc' }, { user_id: 'asc' }],
        }),
        prisma.membership.count({ where }),
      ]);
      return { items: rows.map(memberRow), total };
    },

    setRole: (organizationId, userId, role) => inTransaction(prisma, async (tx) => {
      const refusal = await refusalOf(tx, organizationId, userId, role);
      if (refusal) return refusal;
      const where = { organization_id_user_id: { organization_id: organizationId, user_id: userId } };
      return { ok: true, member: memberRow(await tx.membership.update({ where, data: { role }, include: { user: true } })) };
    }),

    remove: (organizationId, userId) => inTransaction(prisma, async (tx) => {
      const refusal = await refusalOf(tx, organizationId, userId, null);
      if (refusal) return refusal;
      await tx.membership.delete({ where: { organization_id_user_id: { organization_id: organizationId, user_id: userId } } });
      return { ok: true };
    }),
  };
}

/**
 * Why a membership cannot change, asked under the organization's lock.
 * @param role the new one; null: none
 */
async function refusalOf(
  tx: Transaction,
  organizationId: string,
  userId: string,
  role: Role | null,
): Promise<MemberRefusal | null> {
  if (!isUuid(userId) || !(await lockOrganization(tx, organizationId))) return { ok: false, reason: 'not_found' };
  const roles = await tx.membership.findMany({ where: { organization_id: organizationId } });
  const member = roles.find(({ user_id }) => user_id === userId);
  if (!member) return { ok: false, reason: 'not_found' };
  const isLastOwner = member.role === 'owner' && roles.filter((other) => other.role === 'owner').length === 1;
  return isLastOwner && role !== 'owner' ? { ok: false, reason: 'last_owner' } : null;
}

const memberRow = ({ user, role, created_at }: Membership & { user: User }): MemberRow => ({
  userId: user.id, name: user.name, email: user.email, role: role as Role, mfaEnabled: user.mfa_enabled_at !== null,
  joinedAt: created_at,
});
