import { randomUUID } from 'node:crypto';
import { type ConfigDocument, namedObjectTypes, orderingOf, type OrganizationState } from '@sluice/contracts';
import { inAuditScope, noteAudit } from '../../config-store/audit-scope';
import type { OrganizationRow, OrganizationStore } from '../../config-store';
import { recorded } from './memory-config-audit';
import { usedMemorySeats } from './memory-config-members';
import { addKey, announce, connectorsOf, keysOf, pageOf, type MemoryConfigState } from './memory-config-state';
import { copy } from '../shared/memory-copy';
import { isMemoryTrialUsed, memoryTrialFacts, newMemoryOrganization, takeMemoryTrial } from './memory-config-trials';

/** Organizations of the twin. */
export function createMemoryOrganizations(state: MemoryConfigState): OrganizationStore {
  const changed = (organization: OrganizationRow, facts: Partial<OrganizationRow>): OrganizationRow => {
    Object.assign(organization, facts);
    announce(state, connectorsOf(state, organization.id));
    return copy(organization);
  };
  return {
    get: async (id) => copy(state.organizations.get(id) ?? null),
    async add({ name, ownerId, trialKeys, trialMs }) {
      const id = randomUUID();
      const { verified } = state.users.get(ownerId)!;
      const isFirst = !state.memberships.some(({ userId, role }) => userId === ownerId && role === 'owner');
      const onTrial = isFirst && takeMemoryTrial(state, trialKeys, { organizationId: id, verified });
      const facts = onTrial ? { tier: 'trial', trialMs, trialRefused: false } as const : {
        tier: 'free', trialRefused: isFirst || isMemoryTrialUsed(state, trialKeys),
      } as const;
      state.organizations.set(id, newMemoryOrganization({ id, name, ...facts }));
      state.memberships.push({ userId: ownerId, organizationId: id, role: 'owner', joinedAt: new Date() });
      noteAudit({ organizationIds: [id], targetId: id });
      return copy(state.organizations.get(id)!);
    },
    async update(id, { recoveryMs = 0, ...patch }) {
      const organization = state.organizations.get(id);
      if (!organization) return null;
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      if (patch.state !== undefined) {
        noteSuspension(state, organization, patch.state);
        organization.closesAt = patch.state === 'closing' ? new Date(Date.now() + recoveryMs) : null;
      }
      if ((patch.perRecordOrdering ?? organization.perRecordOrdering) !== organization.perRecordOrdering) {
        const perRecord = connectorsOf(state, id).filter(({ row }) => orderingOf(row.settings) === 'record');
        for (const connector of perRecord) connector.orderingEpoch += 1;
      }
      // A tier set by an operator is a contract, no trial.
      const trial = patch.tier === undefined ? {} : { trialEndsAt: null, ...memoryTrialFacts(organization, patch.tier) };
      Object.assign(organization, copy(given), trial);
      if (organization.tier === 'enterprise') for (const { row } of connectorsOf(state, id)) state.writeCaps.disarm(row.id);
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
        seats: usedMemorySeats(state, id), portals: new Set(portals).size,
      };
    },
    async objectTypes(id) {
      const configs = connectorsOf(state, id).flatMap(({ row }) => [
        state.drafts.get(row.id)?.config,
        state.versions.get(row.id)?.find(({ version }) => version === row.activeVersion)?.config,
      ]);
      return [...new Set(configs.flatMap(typesOf))];
    },
    async close(id, recoveryMs) {
      const organization = state.organizations.get(id);
      if (!organization || organization.state === 'closing') return { ok: false, reason: 'closing' };
      noteSuspension(state, organization, 'closing');
      return { ok: true, organization: changed(organization, { state: 'closing', closesAt: new Date(Date.now() + recoveryMs) }) };
    },
    async reopen(id) {
      const organization = state.organizations.get(id);
      if (organization?.state !== 'closing') return { ok: false, reason: 'not_closing' };
      if (organization.closesAt! <= new Date()) return { ok: false, reason: 'over' };
      const reopened = state.reopensSuspended.delete(id) ? 'suspended' : 'active';
      return { ok: true, organization: changed(organization, { state: reopened, closesAt: null }) };
    },
    async endRecoveries(now) {
      const over = [...state.organizations.values()].filter(({ closesAt }) => closesAt !== null && closesAt <= now);
      for (const organization of over) {
        changed(organization, { state: 'closed', closesAt: null });
        for (const invitation of state.invitations)
          if (invitation.organizationId === organization.id && !invitation.accepted) invitation.revoked = true;
        tellBySystem(state, organization.id, 'organization.closed');
      }
      return over.length;
    },
    async endTrials(now) {
      const over = [...state.organizations.values()].filter(
        ({ tier, trialEndsAt }) => tier === 'trial' && trialEndsAt !== null && trialEndsAt <= now,
      );
      for (const organization of over) {
        changed(organization, { ...memoryTrialFacts(organization, 'free'), tier: 'free', trialEndsAt: null });
        tellBySystem(state, organization.id, 'organization.trial_end');
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
      const { row: { id: keyId, label }, createdById, ownerId } = key;
      return { keyId, label, createdById, organization: copy(state.organizations.get(ownerId)!) };
    },
  };
}

/** Closing and reopening ends no suspension. */
function noteSuspension(
  { reopensSuspended }: MemoryConfigState, { id, state: before }: OrganizationRow, state: OrganizationState,
): void {
  if (state === 'closing' && before === 'suspended') reopensSuspended.add(id);
  else if (state !== 'closing') reopensSuspended.delete(id);
}

function tellBySystem(state: MemoryConfigState, organizationId: string, action: string): void {
  const actor = { type: 'system', id: null, label: null } as const;
  const target = { type: 'organization', id: organizationId };
  inAuditScope(
    () => ({ organizationId, actor, action, target, ip: null, requestId: null }), () => recorded(state, 'update', true),
  );
}

const typesOf = (config: unknown): string[] => namedObjectTypes((config ?? {}) as Partial<ConfigDocument>);
