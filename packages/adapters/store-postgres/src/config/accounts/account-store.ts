import { type AccountStore, noteAudit } from '@sluice/ports';
import type { PrismaClient } from '../../generated/client';
import { accountRow, userRow } from './account-rows';
import { asId, inTransaction, isUuid } from '../../config-client/config-client';
import { createAccount } from './create-account';
import { deleteAccount } from './delete-account';
import { organizationIdsOf } from './memberships';
import { sessionMethods } from './session-methods';
import { setPassword } from './set-password';

/** Users, their organizations' creation, and sessions with rotating refresh tokens. */
export function createAccountStore(prisma: PrismaClient): AccountStore {
  return {
    create: (account) => createAccount(prisma, account),
    userByEmail: async (email) => userRow(prisma, await prisma.user.findUnique({ where: { email } })),
    userById: async (id) => userRow(prisma, await prisma.user.findUnique({ where: { id: asId(id) } })),

    rename: (userId, name) => inTransaction(prisma, async (tx) => {
      const where = { id: userId };
      if (!isUuid(userId) || (await tx.user.updateMany({ where, data: { name } })).count === 0) return null;
      noteAudit({ targetId: userId });
      return accountRow(await tx.user.findUniqueOrThrow({ where }));
    }),

    changePassword: ({ userId, passwordHash, sessionId }) => inTransaction(prisma, async (tx) => {
      if (!(await setPassword(tx, userId, passwordHash, { but: sessionId }))) return false;
      noteAudit({ targetId: userId });
      return true;
    }),

    setDeactivated: (userId, deactivated) => inTransaction(prisma, async (tx) => {
      const at = deactivated ? new Date() : null;
      const where = { id: asId(userId), ...(deactivated ? { deactivated_at: null } : {}) };
      await tx.user.updateMany({ where, data: { deactivated_at: at } });
      const user = await tx.user.findUnique({ where: { id: asId(userId) } });
      if (user) noteAudit({ organizationIds: await organizationIdsOf(tx, userId), targetId: userId });
      return user && accountRow(user);
    }),

    delete: (userId) => inTransaction(prisma, (tx) => deleteAccount(tx, userId)),
    ...sessionMethods(prisma),
  };
}
