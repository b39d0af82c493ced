import { randomUUID } from 'node:crypto';
import { noteAudit } from '../../config-store/audit-scope';
import type { IdentityStore, UserRow } from '../../config-store';
import { releaseMemoryAddress } from './memory-config-accounts';
import { copy, type MemoryConfigState, organizationIdsOf } from './memory-config-state';
import { newMemoryOrganization, takeMemoryTrial } from './memory-config-trials';

/** Accounts of people who sign in elsewhere, in the twin. */
export function createMemoryIdentities(state: MemoryConfigState): IdentityStore {
  const userRow = (id: string): UserRow => ({ ...copy(state.users.get(id)!), organizationIds: organizationIdsOf(state, id) });
  return {
    async resolve({ issuer, subject, verifiedEmail: email, name, organizationName, trialKeys, trialMs }) {
      const key = JSON.stringify([issuer, subject]);
      const known = state.identities.get(key);
      if (known !== undefined && state.users.has(known)) return { ok: true, user: userRow(known), created: false };
      if (email === null) return { ok: false, reason: 'not_vouched_for' };
      const holder = [...state.users.values()].find((user) => user.email === email);
      if (holder?.verified) {
        state.identities.set(key, holder.id);
        return { ok: true, user: userRow(holder.id), created: false };
      }
      const [userId, organizationId] = [randomUUID(), randomUUID()];
      noteAudit({ organizationIds: [organizationId], userId, label: email, targetId: organizationId });
      if (holder) releaseMemoryAddress(state, holder);
      const onTrial = takeMemoryTrial(state, trialKeys, { organizationId, verified: true });
      const facts = onTrial
        ? { tier: 'trial', trialMs, trialRefused: false } as const : { tier: 'free', trialRefused: true } as const;
      state.organizations.set(organizationId, newMemoryOrganization({ id: organizationId, name: organizationName, ...facts }));
      state.users.set(userId, {
        id: userId, email, name, passwordHash: '', verified: true, mfaEnabled: false, deactivated: false, createdAt: new Date(),
      });
      state.memberships.push({ userId, organizationId, role: 'owner', joinedAt: new Date() });
      state.identities.set(key, userId);
      return { ok: true, user: userRow(userId), created: true };
    },
  };
}
