import { randomUUID } from 'node:crypto';
import { auditEntriesOf, noteAudit } from '../../config-store/audit-scope';
import type { AccountStore, UserRow } from '../../config-store';
import { createMemoryAudit } from './memory-config-audit';
import { addMemoryMailToken } from './memory-config-mail-tokens';
import { memoryAccount, memorySessions, openMemorySession, setMemoryPassword } from './memory-config-sessions';
import type { MemoryUser } from './memory-config-rows';
import { type MemoryConfigState, organizationIdsOf } from './memory-config-state';
import { copy } from '../shared/memory-copy';
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
      if (holder) releaseMemoryAddress(state, holder);
      state.organizations.set(organizationId, newMemoryOrganization({
        id: organizationId, name: organizationName, tier: refused ? 'free' : tier, trialRefused: refused,
        trialMs: tier === 'trial' && !refused ? trialMs : undefined,
      }));
      state.users.set(userId, {
        id: userId, email, name: null, passwordHash, verified, mfaEnabled: false, deactivated: false, createdAt: new Date(),
      });
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
      return memoryAccount(user);
    },
    async changePassword({ userId, passwordHash, sessionId }) {
      if (!setMemoryPassword(state, userId, passwordHash, sessionId)) return false;
      noteAudit({ targetId: userId });
      return true;
    },
    async setDeactivated(userId, deactivated) {
      const user = state.users.get(userId);
      if (!user) return null;
      user.deactivated = deactivated;
      noteAudit({ organizationIds: organizationIdsOf(state, userId), targetId: userId });
      return memoryAccount(user);
    },
    async delete(userId) {
      const organizations = ownedAlone(state, userId);
      if (organizations.length > 0) return { ok: false, reason: 'last_owner', organizations };
      noteAudit({ organizationIds: organizationIdsOf(state, userId), targetId: userId });
      state.users.delete(userId);
      state.memberships = state.memberships.filter((one) => one.userId !== userId);
      for (const session of [...state.sessions.values()]) if (session.userId === userId) state.sessions.delete(session.id);
      for (const [hash, token] of state.mailTokens) if (token.userId === userId) state.mailTokens.delete(hash);
      state.secondFactors.delete(userId);
      return { ok: true };
    },
    ...memorySessions(state),
  };
}

/** Organizations, neither closing nor closed, of which the account is the only owner. */
function ownedAlone(state: MemoryConfigState, userId: string): { id: string; name: string }[] {
  const owners = (id: string) => state.memberships.filter((one) => one.organizationId === id && one.role === 'owner');
  return organizationIdsOf(state, userId).map((id) => state.organizations.get(id)!).filter(({ id, state: standing }) =>
    standing !== 'closing' && standing !== 'closed' && owners(id).length === 1 && owners(id)[0]!.userId === userId,
  ).map(({ id, name }) => ({ id, name }));
}

/** Takes the address from an unverified account. */
export function releaseMemoryAddress(state: MemoryConfigState, holder: MemoryUser): void {
  Object.assign(holder, { email: `released:${holder.id}`, passwordHash: '' });
  for (const session of state.sessions.values()) if (session.userId === holder.id) session.ended = true;
  const [entry] = auditEntriesOf(true)?.entries ?? [];
  const owned = state.memberships.find(({ userId, role }) => userId === holder.id && role === 'owner');
  if (!entry || !owned) return;
  const released = { organizationId: owned.organizationId, action: 'account.release', target: { type: 'user', id: holder.id } };
  void createMemoryAudit(state).add({ ...entry, ...released });
}
