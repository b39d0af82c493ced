import { randomUUID } from 'node:crypto';
import { type AccountStore, auditEntryOf, type NewAccount, noteAudit } from '@sluice/ports';
import type { Prisma, PrismaClient } from '../generated/client';
import { addAuditEntry } from './add-audit-entry';
import { inTransaction, isUuid, type Transaction, violates } from './config-client';
import { organizationRow } from './config-rows';

/** Users, their organizations' creation, and sessions with rotating refresh tokens. */
export function createAccountStore(prisma: PrismaClient): AccountStore {
  return {
    create: (account) => createAccount(prisma, account),

    async userByEmail(email) {
      const user = await prisma.user.findUnique({
        where: { email },
        include: { memberships: { orderBy: { created_at: 'asc' }, take: 1 } },
      });
      return (
        user && {
          id: user.id,
          email: user.email,
          passwordHash: user.password_hash,
          organizationId: user.memberships[0]?.organization_id ?? null,
        }
      );
    },

    openSession: ({ userId, organizationId, tokenHash, expiresAt }) => inTransaction(prisma, async (tx) => {
      const id = randomUUID();
      await tx.session.create({
        data: {
          id,
          user_id: userId,
          organization_id: organizationId,
          tokens: { create: { token_hash: tokenHash, expires_at: expiresAt } },
        },
      });
      noteAudit({ organizationId, userId, targetId: id });
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

type Rotate = AccountStore['rotate'];

/** @param wasUnused what was read before the token was locked: another exchange may have used it since */
async function rotate(
  tx: Transaction,
  { tokenHash, nextHash, nextExpiresAt }: Parameters<Rotate>[0],
  wasUnused: boolean,
): ReturnType<Rotate> {
  // The second exchange reads the result of the first.
  await tx.$queryRaw`SELECT 1 FROM refresh_tokens WHERE token_hash = ${tokenHash} FOR NO KEY UPDATE`;
  const token = await tx.refreshToken.findUnique({ where: { token_hash: tokenHash }, include: { session: true } });
  if (!token) return { outcome: 'invalid' };
  const { id: sessionId, user_id: userId, organization_id: organizationId, ended_at: endedAt } = token.session;
  if (token.used_at !== null && wasUnused) {
    const next = await tx.refreshToken.findUnique({ where: { token_hash: nextHash } });
    const isSuccessor = next?.session_id === sessionId && next.used_at === null && endedAt === null;
    return isSuccessor ? { outcome: 'rotated', sessionId, userId, organizationId } : { outcome: 'invalid' };
  }
  if (token.used_at !== null) {
    await endSessionsOf(tx, userId, 'reuse');
    return { outcome: 'reused', userId, organizationId };
  }
  if (token.expires_at <= new Date() || endedAt !== null) return { outcome: 'invalid' };
  await tx.refreshToken.update({ where: { token_hash: tokenHash }, data: { used_at: new Date() } });
  await tx.refreshToken.create({ data: { token_hash: nextHash, session_id: sessionId, expires_at: nextExpiresAt } });
  return { outcome: 'rotated', sessionId, userId, organizationId };
}

/** A refresh token that is used twice may be stolen by either user of it: all sessions of the user end. */
async function endSessionsOf(tx: Transaction, userId: string, reason: 'reuse' | 'released'): Promise<void> {
  await tx.session.updateMany({ where: { user_id: userId, ended_at: null }, data: { ended_at: new Date(), end_reason: reason } });
}

async function logOut(tx: Transaction, which: Prisma.SessionWhereInput): Promise<boolean> {
  const session = await tx.session.findFirst({
    where: { ...which, ended_at: null },
    include: { user: { select: { email: true } } },
  });
  if (!session) return false;
  await tx.session.updateMany({
    where: { id: session.id, ended_at: null },
    data: { ended_at: new Date(), end_reason: 'logout' },
  });
  noteAudit({
    organizationId: session.organization_id,
    userId: session.user_id,
    label: session.user.email,
    targetId: session.id,
  });
  return true;
}

async function createAccount(prisma: PrismaClient, account: NewAccount): ReturnType<AccountStore['create']> {
  const [userId, organizationId] = [randomUUID(), randomUUID()];
  try {
    await inTransaction(prisma, async (tx) => {
      noteAudit({ organizationId, userId, targetId: organizationId });
      if (account.verified) await releaseAddress(tx, account.email);
      const used = account.tier === 'trial' && account.trialKeys !== undefined && !(await takeTrial(tx, account, organizationId));
      await tx.organization.create({
        data: {
          id: organizationId,
          name: account.organizationName,
          tier: used ? 'free' : account.tier,
          trial_ends_at: account.tier === 'trial' && !used ? (account.trialEndsAt ?? null) : null,
          trial_blocked: used ? 'trial_already_used' : null,
        },
      });
      const verified = account.verified ? new Date() : null;
      await tx.user.create({
        data: { id: userId, email: account.email, password_hash: account.passwordHash, verified_at: verified },
      });
      await tx.membership.create({ data: { organization_id: organizationId, user_id: userId, role: 'owner' } });
    });
  } catch (error) {
    if (violates(error, 'email')) return { ok: false, reason: 'email_already_registered' };
    throw error;
  }
  return { ok: true, userId, organizationId };
}

/** Whether the trial may be given; see `TrialKeys`. */
async function takeTrial(tx: Transaction, { trialKeys, verified }: NewAccount, organizationId: string): Promise<boolean> {
  const { company = null, address } = trialKeys ?? {};
  const use = async (key: string): Promise<boolean> =>
    (await tx.trialUse.createMany({ data: { key, organization_id: organizationId }, skipDuplicates: true })).count === 1;
  if (!verified && company !== null && (await tx.trialUse.count({ where: { key: company } })) > 0) return false;
  if (verified && company !== null) await use(company);
  return (address === undefined || (await use(address))) || verified === true;
}

/** Takes an address from an unverified account: it is signed out everywhere and can no longer sign in. */
async function releaseAddress(tx: Transaction, email: string): Promise<void> {
  const [holder] = await tx.$queryRaw<{ id: string }[]>`
    UPDATE users SET email = 'released:' || id, password_hash = '', updated_at = now()
    WHERE email = ${email} AND verified_at IS NULL RETURNING id`;
  if (!holder) return;
  await endSessionsOf(tx, holder.id, 'released');
  const found = auditEntryOf(true);
  const owned = await tx.membership.findFirst({ where: { user_id: holder.id, role: 'owner' }, orderBy: { created_at: 'asc' } });
  if (!found || !owned) return;
  const target = { type: 'user', id: holder.id };
  await addAuditEntry(tx, { ...found.entry, organizationId: owned.organization_id, action: 'account.release', target });
}
