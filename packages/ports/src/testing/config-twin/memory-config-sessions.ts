import { randomUUID } from 'node:crypto';
import { noteAudit } from '../../config-store/audit-scope';
import type { AccountRow, AccountStore, NewSession } from '../../config-store';
import type { MemoryUser } from './memory-config-rows';
import { type MemoryConfigState, organizationIdsOf, pageOf } from './memory-config-state';
import { copy } from '../shared/memory-copy';

type SessionMethods = Pick<
  AccountStore,
  | 'openSession' | 'rotate' | 'sessionOfToken' | 'sessions' | 'endSession' | 'endSessionById' | 'endSessionOf' | 'sessionActor'
  | 'activate' | 'sweepSessions'
>;

const isAlive = ({ ended, endsAt }: { ended: boolean; endsAt: Date }): boolean => !ended && endsAt > new Date();

/** What becomes of sessions once they are open. */
export function memorySessions(state: MemoryConfigState): SessionMethods {
  const end = (sessionId: string | undefined, userIdGiven?: string): boolean => {
    const session = sessionId === undefined ? undefined : state.sessions.get(sessionId);
    if (!session || session.ended || (userIdGiven !== undefined && session.userId !== userIdGiven)) return false;
    session.ended = true;
    const { organizationId, userId, id } = session;
    const label = state.users.get(userId)!.email;
    noteAudit({ organizationIds: organizationId === null ? [] : [organizationId], userId, label, targetId: id });
    return true;
  };
  return {
    async openSession(session) {
      const id = openMemorySession(state, session);
      noteAudit({ organizationIds: organizationIdsOf(state, session.userId), userId: session.userId, targetId: id });
      return id;
    },
    async rotate({ tokenHash, nextHash, nextExpiresAt, isProven }) {
      const token = state.tokens.get(tokenHash);
      const wasUnused = token?.used === false;
      if (token && !isProven(token.sessionId)) return { outcome: 'unproven' };
      // As long as another exchange needs to come in between.
      await Promise.resolve();
      const session = token && state.sessions.get(token.sessionId);
      if (!token || !session) return { outcome: 'invalid' };
      const answer = { sessionId: session.id, userId: session.userId, organizationId: session.organizationId };
      if (token.used && wasUnused) {
        const next = state.tokens.get(nextHash);
        return next?.sessionId === session.id && !next.used && !session.ended
          ? { outcome: 'rotated', ...answer }
          : { outcome: 'invalid' };
      }
      if (token.used) {
        for (const other of state.sessions.values()) if (other.userId === session.userId) other.ended = true;
        return { outcome: 'reused', userId: session.userId, organizationId: session.organizationId };
      }
      if (token.expiresAt <= new Date() || !isAlive(session)) return { outcome: 'invalid' };
      if (state.users.get(session.userId)!.deactivated) return { outcome: 'deactivated' };
      token.used = true;
      session.lastUsedAt = new Date();
      const expiresAt = nextExpiresAt < session.endsAt ? nextExpiresAt : session.endsAt;
      state.tokens.set(nextHash, { sessionId: session.id, expiresAt, used: false });
      return { outcome: 'rotated', ...answer };
    },
    sessionOfToken: async (tokenHash) => state.tokens.get(tokenHash)?.sessionId ?? null,
    async sessions(userId, page) {
      const alive = [...state.sessions.values()].filter((session) => session.userId === userId && isAlive(session)).reverse();
      const rows = alive.map(({ id, createdAt, lastUsedAt, ip, userAgent }) => ({ id, createdAt, lastUsedAt, ip, userAgent }));
      return pageOf(rows, page);
    },
    endSessionOf: async (userId, sessionId) => end(sessionId, userId),
    endSession: async (tokenHash) => end(state.tokens.get(tokenHash)?.sessionId),
    endSessionById: async (sessionId) => end(sessionId),
    async sessionActor(sessionId) {
      const session = state.sessions.get(sessionId);
      if (!session || !isAlive(session)) return null;
      const { userId, organizationId } = session;
      const memberships = state.memberships.filter((one) => one.userId === userId);
      return {
        account: memoryAccount(state.users.get(userId)!),
        organization: organizationId === null ? null : copy(state.organizations.get(organizationId)!),
        role: memberships.find((one) => one.organizationId === organizationId)?.role ?? null,
        hasOrganization: memberships.length > 0,
      };
    },
    async activate(sessionId, organizationId) {
      const session = state.sessions.get(sessionId);
      const isMember = state.memberships.some((one) => one.userId === session?.userId && one.organizationId === organizationId);
      if (!session || session.ended || !isMember) return false;
      session.organizationId = organizationId;
      noteAudit({ organizationIds: [organizationId], targetId: sessionId });
      return true;
    },
    async sweepSessions(before) {
      for (const [hash, { expiresAt }] of state.tokens) if (expiresAt < before) state.tokens.delete(hash);
      const alive = new Set([...state.tokens.values()].map(({ sessionId }) => sessionId));
      for (const { id, endsAt } of [...state.sessions.values()]) if (!alive.has(id) || endsAt < before) state.sessions.delete(id);
    },
  };
}

export function openMemorySession(
  state: MemoryConfigState,
  session: NewSession & { userId: string; organizationId: string | null },
): string {
  const { userId, organizationId, tokenHash, expiresAt, lifetimeMs, ip, userAgent } = session;
  const [id, createdAt] = [randomUUID(), new Date()];
  const endsAt = new Date(createdAt.getTime() + lifetimeMs);
  state.sessions.set(id, { id, userId, organizationId, createdAt, lastUsedAt: createdAt, endsAt, ip, userAgent, ended: false });
  state.tokens.set(tokenHash, { sessionId: id, expiresAt, used: false });
  return id;
}

/** The sessions of the account end, but for one, and its links that reset the password. False: no such account. */
export function setMemoryPassword(state: MemoryConfigState, userId: string, passwordHash: string, but?: string): boolean {
  const user = state.users.get(userId);
  if (!user) return false;
  user.passwordHash = passwordHash;
  for (const session of state.sessions.values()) if (session.userId === userId && session.id !== but) session.ended = true;
  for (const [hash, { purpose, userId: owner, consumed }] of state.mailTokens)
    if (owner === userId && purpose === 'reset_password' && !consumed) state.mailTokens.delete(hash);
  return true;
}

export const memoryAccount = ({ passwordHash: _, ...account }: MemoryUser): AccountRow => copy(account);
