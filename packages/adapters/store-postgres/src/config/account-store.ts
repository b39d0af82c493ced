import { randomUUID } from 'node:crypto';
import type { AccountStore, NewAccount } from '@sluice/ports';
import type { PrismaClient } from '../generated/client';
import { inTransaction, isUuid, type Transaction, violates } from './config-client';
import { organizationRow } from './config-rows';

/** Users, their organizations' creation, and sessions with rotating refresh tokens. */
export function createAccountStore(prisma: PrismaClient): AccountStore {
  return {
    create: (account) => createAccount(prisma, account),

    async userByEmail(email) {
      const user = await prisma.user.findUnique({ where: { email }, include: { memberships: { orderBy: { created_at: 'asc' }, take: 1 } } });
      return user && { id: user.id, email: user.email, passwordHash: user.password_hash, organizationId: user.memberships[0]?.organization_id ?? null };
    },

    async openSession({ userId, organizationId, tokenHash, expiresAt }) {
      const id = randomUUID();
      await prisma.session.create({
        data: { id, user_id: userId, organization_id: organizationId, tokens: { create: { token_hash: tokenHash, expires_at: expiresAt } } },
      });
      return id;
    },

    rotate: ({ tokenHash, nextHash, nextExpiresAt }) => inTransaction(prisma, async (tx) => {
      // Whoever comes second reads what the first made of it.
      await tx.$queryRaw`SELECT 1 FROM refresh_tokens WHERE token_hash = ${tokenHash} FOR NO KEY UPDATE`;
      const token = await tx.refreshToken.findUnique({ where: { token_hash: tokenHash }, include: { session: true } });
      if (!token) return { outcome: 'invalid' };
      if (token.used_at !== null) {
        await endSessionsOf(tx, token.session.user_id);
        return { outcome: 'reused' };
      }
      if (token.expires_at <= new Date() || token.session.ended_at !== null) return { outcome: 'invalid' };
      await tx.refreshToken.update({ where: { token_hash: tokenHash }, data: { used_at: new Date() } });
      await tx.refreshToken.create({ data: { token_hash: nextHash, session_id: token.session_id, expires_at: nextExpiresAt } });
      return { outcome: 'rotated', sessionId: token.session_id, userId: token.session.user_id, organizationId: token.session.organization_id };
    }),

    async endSession(tokenHash) {
      await prisma.session.updateMany({ where: { tokens: { some: { token_hash: tokenHash } }, ended_at: null }, data: { ended_at: new Date(), end_reason: 'logout' } });
    },

    async endSessionById(sessionId) {
      if (!isUuid(sessionId)) return;
      await prisma.session.updateMany({ where: { id: sessionId, ended_at: null }, data: { ended_at: new Date(), end_reason: 'logout' } });
    },

    async sessionActor(sessionId) {
      if (!isUuid(sessionId)) return null;
      const session = await prisma.session.findUnique({ where: { id: sessionId }, include: { user: { include: { memberships: true } }, organization: true } });
      if (!session || session.ended_at !== null) return null;
      const role = session.user.memberships.find(({ organization_id }) => organization_id === session.organization_id)?.role;
      return {
        userId: session.user_id, email: session.user.email, role: role === 'owner' || role === 'member' ? role : null,
        organization: organizationRow(session.organization),
      };
    },

    async sweepSessions(before) {
      await prisma.refreshToken.deleteMany({ where: { expires_at: { lt: before } } });
      await prisma.session.deleteMany({ where: { tokens: { none: {} } } });
    },
  };
}

/** A refresh token seen twice is stolen, and nobody knows by whom: the user signs in again everywhere. */
async function endSessionsOf(tx: Transaction, userId: string): Promise<void> {
  await tx.session.updateMany({ where: { user_id: userId, ended_at: null }, data: { ended_at: new Date(), end_reason: 'reuse' } });
}

async function createAccount(prisma: PrismaClient, account: NewAccount): ReturnType<AccountStore['create']> {
  const [userId, organizationId] = [randomUUID(), randomUUID()];
  try {
    await inTransaction(prisma, async (tx) => {
      const used = account.tier === 'trial' && account.trialKey !== undefined && !(await takeTrial(tx, account.trialKey, organizationId));
      await tx.organization.create({
        data: {
          id: organizationId, name: account.organizationName, tier: used ? 'free' : account.tier,
          trial_ends_at: account.tier === 'trial' && !used ? account.trialEndsAt ?? null : null, trial_blocked: used ? 'trial_already_used' : null,
        },
      });
      await tx.user.create({ data: { id: userId, email: account.email, password_hash: account.passwordHash } });
      await tx.membership.create({ data: { organization_id: organizationId, user_id: userId, role: 'owner' } });
    });
  } catch (error) {
    if (violates(error, 'email')) return { ok: false, reason: 'email_already_registered' };
    throw error;
  }
  return { ok: true, userId, organizationId };
}

/** One trial per key: true for whoever comes first. */
async function takeTrial(tx: Transaction, key: string, organizationId: string): Promise<boolean> {
  const taken = await tx.trialUse.createMany({ data: { key, organization_id: organizationId }, skipDuplicates: true });
  return taken.count === 1;
}
