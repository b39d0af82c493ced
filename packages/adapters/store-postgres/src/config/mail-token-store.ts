import { type MailTokenStore, noteAudit } from '@sluice/ports';
import type { PrismaClient } from '../generated/client';
import { inTransaction } from './config-client';
import { addMailToken, takeMailToken } from './mail-tokens';
import { organizationIdsOf } from './memberships';
import { settleTrial } from './trials';

/** Tokens that prove an address. */
export function createMailTokenStore(prisma: PrismaClient): MailTokenStore {
  return {
    requestVerification: (email, token) => inTransaction(prisma, async (tx) => {
      const user = await tx.user.findUnique({ where: { email } });
      const sendable = user !== null && user.verified_at === null && user.deactivated_at === null;
      await addMailToken(tx, 'verify_email', { userId: user?.id ?? null, address: email, sendable }, token);
    }),

    verify: ({ tokenHash, sessionUserId, trialKeysOf }) => inTransaction(prisma, async (tx) => {
      const taken = await takeMailToken(tx, 'verify_email', tokenHash, sessionUserId);
      if (!taken.ok) return taken;
      const { userId, email } = taken;
      await tx.$executeRaw`UPDATE users SET verified_at = now() WHERE id = ${userId}::uuid AND verified_at IS NULL`;
      await settleTrial(tx, trialKeysOf(email));
      const [organizationId] = await organizationIdsOf(tx, userId);
      noteAudit(
        { organizationIds: organizationId === undefined ? [] : [organizationId], userId, label: email, targetId: userId },
      );
      return { ok: true, userId };
    }),

    sweep: async (before) => (await prisma.mailToken.deleteMany({ where: { expires_at: { lt: before } } })).count,
  };
}
