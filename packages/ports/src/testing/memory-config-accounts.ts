import { randomUUID } from 'node:crypto';
import { auditEntriesOf, noteAudit } from '../audit-scope';
import type { AccountRow, AccountStore, NewSession, UserRow } from '../config-store';
import { createMemoryAudit } from './memory-config-audit';
import { addMemoryMailToken } from './memory-config-mail-tokens';
import { copy, type MemoryConfigState, type MemoryUser, organizationIdsOf } from './memory-config-state';
import { grantMemoryTrial, newMemoryOrganization, takeMemoryTrial } from './memory-config-trials';

/** Users and sessions of the twin. */
export function createMemoryAccounts(state: MemoryConfigState): AccountStore {
  const userRow = (user: MemoryUser | undefined): UserRow | null =>
    user ? { ...copy(user), organizationIds: organizationIdsOf(state, user.id) } : null;
  return {
    async create(account) {
      const {
        email, passwordHash, organizationName, tier, verified = false, trialKeys, trialMs, session, verification,
      } = account;
      const holder = [...state.users.values()].find((user) => user.email === email);
      if (holder && (holder.verified || !verified)) return { ok: false, reason: 'email_already_registered' };
      const [userId, organizationId] = [randomUUID(), randomUUID()];
      const onTrial = tier === 'trial' && trialKeys !== undefined;
      if (onTrial && verified) grantMemoryTrial(state, trialKeys, organizationId);
      const refused = onTrial && !verified && !takeMemoryTrial(state, trialKeys, { organizationId, verified });
      noteAudit({ organizationIds: [organizationId], userId, targetId: organizationId });
      if (holder) release(state, holder);
      state.organizations.set(organizationId, newMemoryOrganization({
        id: organizationId, name: organizationName, tier: refused ? 'free' : tier, trialRefused: refused,
        trialMs: tier === 'trial' && !refused ? trialMs : undefined,
      }));
      state.users.set(userId, { id: userId, email, name: null, passwordHash, verified, mfaEnabled: false, deactivated: false });
      state.memberships.push({ userId, organizationId, role: 'owner', joinedAt: new Date() });
      if (verification) addMemoryMailToken(state, 'verify_email', { userId, address: email, sendable: true }, verification);
      const sessionId = session ? openMemorySession(state, { ...session, userId, organizationId }) : null;
      return { ok: true, userId, organizationId, sessionId };
    },
    userByEmail: async (email) => userRow([...state.users.values()].find((one) => one.email === email)),
    userById: async (id) => userRow(state.users.get(id)),
    async rename(userId, name) {
      const user = state.users.get(userId);
      if (!user) return null;
      user.name = name;
      noteAudit({ targetId: userId });
      return accountOf(user);
    },
    async openSession(session) {
      const id = openMemorySession(state, session);
      noteAudit({ organizationIds: organizationIdsOf(state, session.userId), userId: session.userId, targetId: id });
      return id;
    },
    ...memorySessions(state),
  };
}

/** What becomes of sessions once they are open. */
function memorySessions(
  state: MemoryConfigState,
): Pick<AccountStore, 'rotate' | 'endSession' | 'endSessionById' | 'sessionActor' | 'activate' | 'sweepSessions'> {
  const end = (sessionId: string | undefined): boolean => {
    const session = sessionId === undefined ? undefined : state.sessions.get(sessionId);
    if (!session || session.ended) return false;
    session.ended = true;
    const { organizationId, userId, id } = session;
    const label = state.users.get(userId)!.email;
    noteAudit({ organizationIds: organizationId === null ? [] : [organizationId], userId, label, targetId: id });
    return true;
  };
  return {
    async rotate({ tokenHash, nextHash, nextExpiresAt }) {
      const token = state.tokens.get(tokenHash);
      const wasUnused = token?.used === false;
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
      if (token.expiresAt <= new Date() || session.ended) return { outcome: 'invalid' };
      token.used = true;
      state.tokens.set(nextHash, { sessionId: session.id, expiresAt: nextExpiresAt, used: false });
      return { outcome: 'rotated', ...answer };
    },
    endSession: async (tokenHash) => end(state.tokens.get(tokenHash)?.sessionId),
    endSessionById: async (sessionId) => end(sessionId),
    async sessionActor(sessionId) {
      const session = state.sessions.get(sessionId);
      if (!session || session.ended) return null;
      const { userId, organizationId } = session;
      const memberships = state.memberships.filter((one) => one.userId === userId);
      return {
        account: accountOf(state.users.get(userId)!),
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
      for (const id of state.sessions.keys()) if (!alive.has(id)) state.sessions.delete(id);
    },
  };
}

export function openMemorySession(
  state: MemoryConfigState,
  { userId, organizationId, tokenHash, expiresAt }: NewSession & { userId: string; organizationId: string | null },
): string {
  const id = randomUUID();
  state.sessions.set(id, { id, userId, organizationId, ended: false });
  state.tokens.set(tokenHash, { sessionId: id, expiresAt, used: false });
  return id;
}

const accountOf = ({ passwordHash: _, ...account }: MemoryUser): AccountRow => copy(account);

/** Takes the address from an unverified account. */
function release(state: MemoryConfigState, holder: MemoryUser): void {
  Object.assign(holder, { email: `released:${holder.id}`, passwordHash: '' });
  for (const session of state.sessions.values()) if (session.userId === holder.id) session.ended = true;
  const [entry] = auditEntriesOf(true)?.entries ?? [];
  const owned = state.memberships.find(({ userId, role }) => userId === holder.id && role === 'owner');
  if (!entry || !owned) return;
  const released = { organizationId: owned.organizationId, action: 'account.release', target: { type: 'user', id: holder.id } };
  void createMemoryAudit(state).add({ ...entry, ...released });
}
