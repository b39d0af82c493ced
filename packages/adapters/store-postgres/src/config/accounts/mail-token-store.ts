import { type MailTokenStore, noteAudit, type TrialKeys } from '@sluice/ports';
import type { PrismaClient } from '../../generated/client';
import { userRow } from './account-rows';
import { asId, inTransaction, type Transaction } from '../../config-client/config-client';
import { emailChange } from './email-change';
import { lockUser } from './lock-user';
import { addMailToken, checkMailToken, takeMailToken } from './mail-tokens';
import { organizationIdsOf } from './memberships';
import { setPassword } from './set-password';
import { settleTrial } from '../organizations/trials';

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
      await verified(tx, taken, trialKeysOf);
      return { ok: true, userId: taken.userId };
    }),

    requestReset: (email, token) => inTransaction(prisma, async (tx) => {
      const user = await lockUser(tx, { email });
      const sendable = user !== null && user.deactivated_at === null;
      const older = { user_id: user?.id ?? asId(''), purpose: 'reset_password', consumed_at: null };
      await tx.mailToken.deleteMany({ where: older });
      await addMailToken(tx, 'reset_password', { userId: user?.id ?? null, address: email, sendable }, token);
    }),

    async findReset(tokenHash) {
      const found = await checkMailToken(prisma, 'reset_password', tokenHash);
      if (!found.ok) return found;
      const user = await userRow(prisma, await prisma.user.findUnique({ where: { id: found.userId } }));
      if (!user) return { ok: false, reason: 'token_invalid' };
      const [id] = user.organizationIds;
      const organization = id === undefined ? null : await prisma.organization.findUnique({ where: { id } });
      return { ok: true, user, organizationName: organization?.name ?? null };
    },

    reset: ({ tokenHash, passwordHash, trialKeysOf }) => inTransaction(prisma, async (tx) => {
      const taken = await takeMailToken(tx, 'reset_password', tokenHash);
      if (!taken.ok) return taken;
      await setPassword(tx, taken.userId, passwordHash);
      await verified(tx, taken, trialKeysOf);
      return { ok: true, userId: taken.userId };
    }),

    ...emailChange(prisma),
    sweep: async (before) => (await prisma.mailToken.deleteMany({ where: { expires_at: { lt: before } } })).count,
  };
}

/** What a proof of an address means: the address is verified, and with it the trial of its domain decided. */
async function verified(
  tx: Transaction,
  { userId, email }: { userId: string; email: string },
  trialKeysOf: (email: string) => TrialKeys,
): Promise<void> {
  await tx.$executeRaw`UPDATE users SET verified_at = now() WHERE id = ${userId}::uuid AND verified_at IS NULL`;
  await settleTrial(tx, trialKeysOf(email));
  const organizationIds = (await organizationIdsOf(tx, userId)).slice(0, 1);
  noteAudit({ organizationIds, userId, label: email, targetId: userId });
}
