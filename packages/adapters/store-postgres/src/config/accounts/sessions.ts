import { randomUUID } from 'node:crypto';
import { type AccountStore, type NewSession, noteAudit } from '@sluice/ports';
import type { Prisma } from '../../generated/client';
import type { Transaction } from '../../config-client/config-client';
import { inMs } from '../../config-client/database-time';

type Rotate = AccountStore['rotate'];
type EndReason = 'reuse' | 'released' | 'password';

/** Opens a session with its first refresh token; answers its id. */
export async function openSession(
  tx: Transaction,
  session: NewSession & { userId: string; organizationId: string | null },
): Promise<string> {
  const { userId, organizationId, tokenHash, expiresAt, lifetimeMs, ip, userAgent } = session;
  const id = randomUUID();
  await tx.$executeRaw`
    INSERT INTO sessions (id, user_id, organization_id, ip, user_agent, ends_at)
    VALUES (${id}::uuid, ${userId}::uuid, ${organizationId}::uuid, ${ip}, ${userAgent}, ${inMs(lifetimeMs)})`;
  await tx.refreshToken.create({ data: { token_hash: tokenHash, session_id: id, expires_at: expiresAt } });
  return id;
}

/** @param wasUnused what was read before the token was locked: another exchange may have used it since */
export async function rotate(
  tx: Transaction,
  { tokenHash, nextHash, nextExpiresAt }: Parameters<Rotate>[0],
  wasUnused: boolean,
): ReturnType<Rotate> {
  // The second exchange reads the result of the first.
  await tx.$queryRaw`SELECT 1 FROM refresh_tokens WHERE token_hash = ${tokenHash} FOR NO KEY UPDATE`;
  const token = await tx.refreshToken.findUnique({
    where: { token_hash: tokenHash }, include: { session: { include: { user: { select: { deactivated_at: true } } } } },
  });
  if (!token) return { outcome: 'invalid' };
  const { id: sessionId, user_id: userId, organization_id: organizationId, ended_at: endedAt, ends_at: endsAt } = token.session;
  if (token.used_at !== null && wasUnused) {
    const next = await tx.refreshToken.findUnique({ where: { token_hash: nextHash } });
    const isSuccessor = next?.session_id === sessionId && next.used_at === null && endedAt === null;
    return isSuccessor ? { outcome: 'rotated', sessionId, userId, organizationId } : { outcome: 'invalid' };
  }
  if (token.used_at !== null) {
    await endSessionsOf(tx, userId, 'reuse');
    return { outcome: 'reused', userId, organizationId };
  }
  const now = new Date();
  if (token.expires_at <= now || endedAt !== null || endsAt <= now) return { outcome: 'invalid' };
  if (token.session.user.deactivated_at !== null) return { outcome: 'deactivated' };
  await tx.refreshToken.update({ where: { token_hash: tokenHash }, data: { used_at: now } });
  const expiresAt = nextExpiresAt < endsAt ? nextExpiresAt : endsAt;
  await tx.refreshToken.create({ data: { token_hash: nextHash, session_id: sessionId, expires_at: expiresAt } });
  await tx.session.update({ where: { id: sessionId }, data: { last_used_at: now } });
  return { outcome: 'rotated', sessionId, userId, organizationId };
}

/**
 * Ends all sessions of a user. A refresh token that is used twice, for one, may be stolen by either user of it.
 * @param but the session that goes on
 */
export async function endSessionsOf(tx: Transaction, userId: string, reason: EndReason, but?: string): Promise<void> {
  const where = { user_id: userId, ended_at: null, ...(but === undefined ? {} : { id: { not: but } }) };
  await tx.session.updateMany({ where, data: { ended_at: new Date(), end_reason: reason } });
}

/** False: there is no such session, or it has ended. */
export async function logOut(
  tx: Transaction,
  which: Prisma.SessionWhereInput,
  reason: 'logout' | 'revoked' = 'logout',
): Promise<boolean> {
  const session = await tx.session.findFirst({
    where: { ...which, ended_at: null },
    include: { user: { select: { email: true } } },
  });
  if (!session) return false;
  await tx.session.updateMany({
    where: { id: session.id, ended_at: null },
    data: { ended_at: new Date(), end_reason: reason },
  });
  noteAudit({
    organizationIds: session.organization_id === null ? [] : [session.organization_id],
    userId: session.user_id,
    label: session.user.email,
    targetId: session.id,
  });
  return true;
}
