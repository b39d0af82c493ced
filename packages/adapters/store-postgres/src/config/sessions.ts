import { randomUUID } from 'node:crypto';
import { type AccountStore, type NewSession, noteAudit } from '@sluice/ports';
import type { Prisma } from '../generated/client';
import type { Transaction } from './config-client';

type Rotate = AccountStore['rotate'];
type EndReason = 'reuse' | 'released';

/** Opens a session with its first refresh token; answers its id. */
export async function openSession(
  tx: Transaction,
  { userId, organizationId, tokenHash, expiresAt }: NewSession & { userId: string; organizationId: string | null },
): Promise<string> {
  const id = randomUUID();
  const tokens = { create: { token_hash: tokenHash, expires_at: expiresAt } };
  await tx.session.create({ data: { id, user_id: userId, organization_id: organizationId, tokens } });
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
export async function endSessionsOf(tx: Transaction, userId: string, reason: EndReason): Promise<void> {
  await tx.session.updateMany({ where: { user_id: userId, ended_at: null }, data: { ended_at: new Date(), end_reason: reason } });
}

/** False: there is no such session, or it has ended. */
export async function logOut(tx: Transaction, which: Prisma.SessionWhereInput): Promise<boolean> {
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
    organizationIds: session.organization_id === null ? [] : [session.organization_id],
    userId: session.user_id,
    label: session.user.email,
    targetId: session.id,
  });
  return true;
}
