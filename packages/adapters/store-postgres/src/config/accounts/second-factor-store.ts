import { type CodeRefusal, type CodeRequest, noteAudit, type SecondFactorStore } from '@sluice/ports';
import type { PrismaClient } from '../../generated/client';
import { asId, inTransaction, type Reader, type Transaction } from '../../config-client/config-client';
import { inMs } from '../../config-client/database-time';
import { lockUser } from './lock-user';
import { organizationIdsOf } from './memberships';
import { openSession } from './sessions';
import { takeFactorCode } from './take-factor-code';

/** Second factors, on Postgres. */
export function createSecondFactorStore(prisma: PrismaClient): SecondFactorStore {
  /** Takes the code of a request, and makes the change that it is for in the same transaction. */
  const withCode = (request: CodeRequest, change: (tx: Transaction) => Promise<unknown>): Promise<{ ok: true } | CodeRefusal> =>
    inTransaction(prisma, async (tx) => {
      const taken = await takeFactorCode(tx, request);
      if (!taken.ok) return taken;
      await change(tx);
      noteAudit({ targetId: request.userId });
      return taken;
    });

  return {
    enroll: ({ userId, sealed, pendingMs }) => inTransaction(prisma, async (tx) => {
      await lockUser(tx, { id: userId });
      const [factor] = await tx.$queryRaw<{ enabled: boolean; pending: boolean }[]>`
        SELECT confirmed_at IS NOT NULL AS enabled, enrolled_at > ${inMs(-pendingMs)} AS pending
        FROM second_factors WHERE user_id = ${userId}::uuid`;
      if (factor?.enabled) return { ok: false, reason: 'mfa_already_enabled' };
      if (factor?.pending) return { ok: false, reason: 'enrollment_already_in_progress' };
      // Wrong codes stay counted: a new enrollment is no way around the lock.
      await tx.$executeRaw`
        INSERT INTO second_factors (user_id, sealed) VALUES (${userId}::uuid, ${sealed})
        ON CONFLICT (user_id) DO UPDATE SET sealed = ${sealed}, enrolled_at = now(), taken_steps = '{}'`;
      noteAudit({ targetId: userId });
      return { ok: true };
    }),

    async find(userId, pendingMs) {
      const [row] = await prisma.$queryRaw<{ sealed: string; enabled: boolean }[]>`
        SELECT sealed, confirmed_at IS NOT NULL AS enabled FROM second_factors
        WHERE user_id = ${asId(userId)}::uuid AND (confirmed_at IS NOT NULL OR enrolled_at > ${inMs(-pendingMs)})`;
      return row ?? null;
    },

    confirm: ({ recoveryHashes, ...request }) => withCode(request, async (tx) => {
      await tx.$executeRaw`UPDATE second_factors SET confirmed_at = now() WHERE user_id = ${request.userId}::uuid`;
      await tx.$executeRaw`UPDATE users SET mfa_enabled_at = now() WHERE id = ${request.userId}::uuid`;
      await replaceRecoveryCodes(tx, request.userId, recoveryHashes);
    }),

    disable: (request) => withCode(request, async (tx) => {
      await tx.secondFactor.delete({ where: { user_id: request.userId } });
      await tx.user.update({ where: { id: request.userId }, data: { mfa_enabled_at: null } });
      await replaceRecoveryCodes(tx, request.userId, []);
    }),

    replaceRecoveryCodes: ({ recoveryHashes, ...request }) =>
      withCode(request, (tx) => replaceRecoveryCodes(tx, request.userId, recoveryHashes)),

    async challenge({ userId, tokenHash, ttlMs, elsewhere }) {
      await prisma.$executeRaw`
        INSERT INTO sign_in_challenges (token_hash, user_id, expires_at, elsewhere)
        VALUES (${tokenHash}, ${userId}::uuid, ${inMs(ttlMs)}, ${elsewhere})`;
    },

    findChallenge: (tokenHash) => findChallenge(prisma, tokenHash),

    signIn: ({ tokenHash, session, ...request }) => inTransaction(prisma, async (tx) => {
      const { userId } = request;
      const found = await findChallenge(tx, tokenHash);
      if (!found.ok) return found;
      const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
      const organizationIds = await organizationIdsOf(tx, userId);
      noteAudit({ organizationIds, userId, label: user.email });
      if (found.userId !== userId) return { ok: false, reason: 'challenge_unknown' };
      if (user.deactivated_at !== null) return { ok: false, reason: 'deactivated' };
      const taken = await takeFactorCode(tx, request);
      if (!taken.ok) return taken;
      await tx.signInChallenge.delete({ where: { token_hash: tokenHash } });
      const [organizationId = null] = organizationIds;
      const sessionId = await openSession(tx, { ...session, userId, organizationId });
      noteAudit({ targetId: sessionId });
      return { ok: true, sessionId, userId, organizationId };
    }),

    async sweepChallenges(before) {
      await prisma.signInChallenge.deleteMany({ where: { expires_at: { lt: before } } });
    },
  };
}

/** Under the row lock of the token, where the reader is a transaction: of two who bring it, the second finds none. */
async function findChallenge(reader: Reader, tokenHash: string): ReturnType<SecondFactorStore['findChallenge']> {
  const [row] = await reader.$queryRaw<{ userId: string; elsewhere: boolean; expired: boolean }[]>`
    SELECT user_id AS "userId", elsewhere, expires_at <= now() AS expired FROM sign_in_challenges
    WHERE token_hash = ${tokenHash} FOR UPDATE`;
  if (row && !row.expired) return { ok: true, userId: row.userId };
  return { ok: false, reason: row?.elsewhere ? 'expired_elsewhere' : 'challenge_unknown' };
}

async function replaceRecoveryCodes(tx: Transaction, userId: string, hashes: readonly string[]): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { user_id: userId } });
  await tx.recoveryCode.createMany({ data: hashes.map((code_hash) => ({ user_id: userId, code_hash })) });
}
