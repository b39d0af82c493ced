import { randomUUID } from 'node:crypto';
import { type ConfigDocument, namedObjectTypes, orderingOf } from '@sluice/contracts';
import { auditEntryOf, inAuditScope, noteAudit } from '../audit-scope';
import type { AccountStore, OrganizationStore, TrialKeys } from '../config-store';
import { createMemoryAudit, recorded } from './memory-config-audit';
import { addKey, announce, connectorsOf, copy, keysOf, pageOf, type MemoryConfigState } from './memory-config-state';

/** Users and sessions of the twin. */
export function createMemoryAccounts(state: MemoryConfigState): AccountStore {
  const end = (sessionId: string | undefined): boolean => {
    const session = sessionId === undefined ? undefined : state.sessions.get(sessionId);
    if (!session || session.ended) return false;
    session.ended = true;
    noteAudit({
      organizationId: session.organizationId,
      userId: session.userId,
      label: state.users.get(session.userId)!.email,
      targetId: session.id,
    });
    return true;
  };
  return {
    async create({ email, passwordHash, organizationName, tier, verified = false, trialKeys, trialEndsAt }) {
      const holder = [...state.users.values()].find((user) => user.email === email);
      if (holder && (holder.verified || !verified)) return { ok: false, reason: 'email_already_registered' };
      const [userId, organizationId] = [randomUUID(), randomUUID()];
      const usedUp = tier === 'trial' && trialKeys !== undefined && !takeTrial(state, trialKeys, verified);
      noteAudit({ organizationId, userId, targetId: organizationId });
      if (holder) release(state, holder);
      state.organizations.set(organizationId, {
        id: organizationId,
        name: organizationName,
        tier: usedUp ? 'free' : tier,
        state: 'active',
        limits: {},
        perRecordOrdering: false,
        writeCapReview: false,
        publishReview: false,
        trialEndsAt: tier === 'trial' && !usedUp ? (trialEndsAt ?? null) : null,
        trialBlocked: usedUp ? 'trial_already_used' : null,
        createdAt: new Date(),
      });
      state.users.set(userId, { id: userId, email, passwordHash, organizationId, verified });
      state.memberships.push({ userId, organizationId, role: 'owner' });
      return { ok: true, userId, organizationId };
    },
    async userByEmail(email) {
      const user = [...state.users.values()].find((one) => one.email === email);
      return user ? { id: user.id, email, passwordHash: user.passwordHash, organizationId: user.organizationId } : null;
    },
    async openSession({ userId, organizationId, tokenHash, expiresAt }) {
      const id = randomUUID();
      state.sessions.set(id, { id, userId, organizationId, ended: false });
      state.tokens.set(tokenHash, { sessionId: id, expiresAt, used: false });
      noteAudit({ organizationId, userId, targetId: id });
      return id;
    },
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
      const user = state.users.get(session.userId)!;
      const role =
        state.memberships.find(({ userId, organizationId }) => userId === user.id && organizationId === session.organizationId)
          ?.role ?? null;
      return { userId: user.id, email: user.email, role, organization: copy(state.organizations.get(session.organizationId)!) };
    },
    async sweepSessions(before) {
      for (const [hash, { expiresAt }] of state.tokens) if (expiresAt < before) state.tokens.delete(hash);
      const alive = new Set([...state.tokens.values()].map(({ sessionId }) => sessionId));
      for (const id of state.sessions.keys()) if (!alive.has(id)) state.sessions.delete(id);
    },
  };
}

/** Whether the trial may be given. */
function takeTrial({ trialKeys: used }: MemoryConfigState, { company, address }: TrialKeys, verified: boolean): boolean {
  if (verified) {
    for (const key of [company, address]) if (key !== null) used.add(key);
    return true;
  }
  if (used.has(address) || (company !== null && used.has(company))) return false;
  used.add(address);
  return true;
}

/** Takes the address from an unverified account. */
function release(
  state: MemoryConfigState,
  holder: { id: string; organizationId: string; email: string; passwordHash: string },
): void {
  Object.assign(holder, { email: `released:${holder.id}`, passwordHash: '' });
  for (const session of state.sessions.values()) if (session.userId === holder.id) session.ended = true;
  const found = auditEntryOf(true);
  if (!found) return;
  const entry = {
    ...found.entry,
    organizationId: holder.organizationId,
    action: 'account.release',
    target: { type: 'user', id: holder.id },
  };
  void createMemoryAudit(state).add(entry);
}

/** Organizations of the twin. */
export function createMemoryOrganizations(state: MemoryConfigState): OrganizationStore {
  return {
    get: async (id) => copy(state.organizations.get(id) ?? null),
    async update(id, patch) {
      const organization = state.organizations.get(id);
      if (!organization) return null;
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      if ((patch.perRecordOrdering ?? organization.perRecordOrdering) !== organization.perRecordOrdering) {
        const perRecord = connectorsOf(state, id).filter(({ row }) => orderingOf(row.settings) === 'record');
        for (const connector of perRecord) connector.orderingEpoch += 1;
      }
      // A tier set by an operator is a contract, no trial.
      Object.assign(organization, copy(given), patch.tier === undefined ? {} : { trialEndsAt: null });
      announce(state, connectorsOf(state, id));
      return copy(organization);
    },
    async usage(id) {
      const connectors = connectorsOf(state, id);
      const portals = [...state.credentials.values()].flatMap(({ organizationId, row }) =>
        organizationId === id && row.portalId !== null ? [row.portalId] : [],
      );
      return {
        connectors: connectors.length, eventSources: connectors.reduce((sum, { sources }) => sum + sources.size, 0),
        seats: state.memberships.filter(({ organizationId }) => organizationId === id).length, portals: new Set(portals).size,
      };
    },
    async objectTypes(id) {
      const configs = connectorsOf(state, id).flatMap(({ row }) => [
        state.drafts.get(row.id)?.config,
        state.versions.get(row.id)?.find(({ version }) => version === row.activeVersion)?.config,
      ]);
      return [...new Set(configs.flatMap(typesOf))];
    },
    async endTrials(now) {
      const over = [...state.organizations.values()].filter(
        ({ tier, trialEndsAt }) => tier === 'trial' && trialEndsAt !== null && trialEndsAt <= now,
      );
      for (const organization of over) {
        Object.assign(organization, { tier: 'free', trialEndsAt: null });
        announce(state, connectorsOf(state, organization.id));
        const organizationId = organization.id;
        const actor = { type: 'system', id: null, label: null } as const;
        inAuditScope(
          () => ({
            organizationId,
            actor,
            action: 'organization.trial_end',
            target: { type: 'organization', id: organizationId },
            ip: null,
            requestId: null,
          }),
          () => recorded(state, 'update', true),
        );
      }
      return over.length;
    },
    async createKey(organizationId, key) {
      if (!state.organizations.has(organizationId)) throw new Error('a key for an organization that does not exist');
      return addKey(state.organizationKeys, organizationId, key);
    },
    keys: async (organizationId, page) => pageOf(keysOf(state.organizationKeys, organizationId), page),
    async revokeKey(organizationId, keyId) {
      const key = state.organizationKeys.get(keyId);
      if (key?.ownerId !== organizationId) return false;
      key.row.revokedAt ??= new Date();
      return true;
    },
    async byKeyHash(hash) {
      const key = [...state.organizationKeys.values()].find((one) => one.hash === hash);
      const now = new Date();
      if (!key || key.row.revokedAt !== null || (key.row.expiresAt !== null && key.row.expiresAt <= now)) return null;
      key.row.lastUsedAt = now;
      return { keyId: key.row.id, label: key.row.label, organization: copy(state.organizations.get(key.ownerId)!) };
    },
  };
}

const typesOf = (config: unknown): string[] => namedObjectTypes((config ?? {}) as Partial<ConfigDocument>);
