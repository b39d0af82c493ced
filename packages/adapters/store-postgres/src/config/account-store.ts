import { type AccountRow, type AccountStore, noteAudit, type UserRow } from '@sluice/ports';
import type { PrismaClient, User } from '../generated/client';
import { inTransaction, isUuid } from './config-client';
import { organizationRow } from './config-rows';
import { createAccount } from './create-account';
import { organizationIdsOf } from './memberships';
import { logOut, openSession, rotate } from './sessions';

/** Users, their organizations' creation, and sessions with rotating refresh tokens. */
export function createAccountStore(prisma: PrismaClient): AccountStore {
  const userRow = async (user: User | null): Promise<UserRow | null> =>
    user && { ...accountRow(user), passwordHash: user.password_hash, organizationIds: await organizationIdsOf(prisma, user.id) };
  return {
    create: (account) => createAccount(prisma, account),
    userByEmail: async (email) => userRow(await prisma.user.findUnique({ where: { email } })),
    userById: async (id) => (isUuid(id) ? userRow(await prisma.user.findUnique({ where: { id } })) : null),

    rename: (userId, name) => inTransaction(prisma, async (tx) => {
      const where = { id: userId };
      if (!isUuid(userId) || (await tx.user.updateMany({ where, data: { name } })).count === 0) return null;
      noteAudit({ targetId: userId });
      return accountRow(await tx.user.findUniqueOrThrow({ where }));
    }),

    openSession: (session) => inTransaction(prisma, async (tx) => {
      const id = await openSession(tx, session);
      // A sign-in concerns every organization of the account.
      const organizationIds = await organizationIdsOf(tx, session.userId);
      noteAudit({ organizationIds, userId: session.userId, targetId: id });
      return id;
    }),

    async rotate(exchange) {
      // Before the lock: whether the token was used when this exchange began.
      const before = await prisma.refreshToken.findUnique({
        where: { token_hash: exchange.tokenHash },
        select: { used_at: true },
      });
      return inTransaction(prisma, (tx) => rotate(tx, exchange, before?.used_at === null));
    },

    endSession: (tokenHash) => inTransaction(prisma, (tx) => logOut(tx, { tokens: { some: { token_hash: tokenHash } } })),
    endSessionById: async (sessionId) => isUuid(sessionId) && inTransaction(prisma, (tx) => logOut(tx, { id: sessionId })),

    async sessionActor(sessionId) {
      if (!isUuid(sessionId)) return null;
      const session = await prisma.session.findUnique({
        where: { id: sessionId },
        include: { user: { include: { memberships: true } }, organization: true },
      });
      if (!session || session.ended_at !== null) return null;
      const { memberships } = session.user;
      const role = memberships.find(({ organization_id }) => organization_id === session.organization_id)?.role;
      return {
        account: accountRow(session.user), organization: session.organization && organizationRow(session.organization),
        role: role === 'owner' || role === 'member' ? role : null, hasOrganization: memberships.length > 0,
      };
    },

    activate: (sessionId, organizationId) => inTransaction(prisma, async (tx) => {
      if (!isUuid(sessionId) || !isUuid(organizationId)) return false;
      const changed = await tx.$executeRaw`
        UPDATE sessions s SET organization_id = m.organization_id FROM memberships m
        WHERE s.id = ${sessionId}::uuid AND s.ended_at IS NULL
          AND m.user_id = s.user_id AND m.organization_id = ${organizationId}::uuid`;
      if (changed === 0) return false;
      noteAudit({ organizationIds: [organizationId], targetId: sessionId });
      return true;
    }),

    async sweepSessions(before) {
      await prisma.refreshToken.deleteMany({ where: { expires_at: { lt: before } } });
      await prisma.session.deleteMany({ where: { tokens: { none: {} } } });
    },
  };
}

export const accountRow = (user: User): AccountRow => ({
  id: user.id,
  email: user.email,
  name: user.name,
  verified: user.verified_at !== null,
  mfaEnabled: user.mfa_enabled_at !== null,
  deactivated: user.deactivated_at !== null,
});
