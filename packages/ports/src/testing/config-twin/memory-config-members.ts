import { randomUUID } from 'node:crypto';
import { planLimits } from '@sluice/contracts';
import { noteAudit } from '../../config-store/audit-scope';
import type {
  Acceptor, AcceptRefusal, InvitationRow, InvitationStore, MemberRefusal, MemberRow, MemberStore, NewInvitation, Role,
  SeatRefusal,
} from '../../config-store';
import { openMemorySession } from './memory-config-sessions';
import { addMemoryMail } from './memory-config-mails';
import type { MemoryInvitation } from './memory-config-rows';
import { type MemoryConfigState } from './memory-config-state';
import { copy } from '../shared/memory-copy';
import { settleMemoryTrial } from './memory-config-trials';

type Membership = MemoryConfigState['memberships'][number];

/** Members of the twin. */
export function createMemoryMembers(state: MemoryConfigState): MemberStore {
  const find = (organizationId: string, userId: string): Membership | undefined =>
    state.memberships.find((one) => one.organizationId === organizationId && one.userId === userId);
  const rowOf = ({ userId, role, joinedAt }: Membership): MemberRow => {
    const { name, email, mfaEnabled } = state.users.get(userId)!;
    return { userId, name, email, role, mfaEnabled, joinedAt: copy(joinedAt) };
  };
  const refusalOf = (member: Membership | undefined, role: Role | null): MemberRefusal | null => {
    if (!member) return { ok: false, reason: 'not_found' };
    const owners = state.memberships.filter((one) => one.organizationId === member.organizationId && one.role === 'owner');
    return member.role === 'owner' && role !== 'owner' && owners.length === 1 ? { ok: false, reason: 'last_owner' } : null;
  };
  return {
    async organizationsOf(userId, { limit, offset }) {
      const mine = state.memberships.filter((one) => one.userId === userId);
      const items = mine.slice(offset, offset + limit).map(({ organizationId, role }) => {
        const { name, tier, state: standing } = state.organizations.get(organizationId)!;
        return { organizationId, name, tier, state: standing, role };
      });
      return { items, total: mine.length };
    },
    roleIn: async (organizationId, userId) => find(organizationId, userId)?.role ?? null,
    async list(organizationId, { limit, offset }) {
      const all = state.memberships.filter((one) => one.organizationId === organizationId);
      return { items: all.slice(offset, offset + limit).map(rowOf), total: all.length };
    },
    async setRole(organizationId, userId, role) {
      const member = find(organizationId, userId);
      const refusal = refusalOf(member, role);
      if (refusal) return refusal;
      member!.role = role;
      return { ok: true, member: rowOf(member!) };
    },
    async remove(organizationId, userId) {
      const member = find(organizationId, userId);
      const refusal = refusalOf(member, null);
      if (refusal) return refusal;
      state.memberships.splice(state.memberships.indexOf(member!), 1);
      return { ok: true };
    },
  };
}

const isOpen = ({ accepted, revoked, expiresAt }: MemoryInvitation): boolean => !accepted && !revoked && expiresAt > new Date();

export function usedMemorySeats(state: MemoryConfigState, organizationId: string, but: string | null = null): number {
  const members = state.memberships.filter((one) => one.organizationId === organizationId);
  const open = state.invitations.filter((one) => one.organizationId === organizationId && isOpen(one) && one.id !== but);
  return members.length + open.length;
}

function seatRefusal(state: MemoryConfigState, organizationId: string, but: string | null = null): SeatRefusal | null {
  const organization = copy(state.organizations.get(organizationId)!);
  const limit = planLimits(organization).seats_limit;
  const usage = usedMemorySeats(state, organizationId, but);
  return limit === null || usage < limit ? null : { ok: false, reason: 'seat_limit_reached', limit, usage, organization };
}

/** Invitations of the twin. */
export function createMemoryInvitations(state: MemoryConfigState): InvitationStore {
  const rowOf = ({ id, email, role, createdAt, expiresAt, invitedById }: MemoryInvitation): InvitationRow => {
    const by = state.users.get(invitedById);
    const invitedBy = by ? { id: by.id, email: by.email } : null;
    return { id, email, role, createdAt: copy(createdAt), expiresAt: copy(expiresAt), invitedBy };
  };
  return {
    async create(invitation) {
      const { organizationId, email, mail } = invitation;
      if (state.organizations.get(organizationId)!.state === 'closing') return { ok: false, reason: 'organization_closing' };
      const isMember = state.memberships.some((one) =>
        one.organizationId === organizationId && state.users.get(one.userId)!.email === email);
      if (isMember) return { ok: false, reason: 'already_member' };
      const open = state.invitations.find((one) => one.organizationId === organizationId && one.email === email && isOpen(one));
      const refusal = open ? null : seatRefusal(state, organizationId);
      if (refusal) return refusal;
      const kept = open && mail === null ? open : replace(state, invitation, open);
      if (mail) addMemoryMail(state, mail);
      noteAudit({ targetId: kept.id });
      return { ok: true, invitation: rowOf(kept) };
    },
    async list(organizationId, { limit, offset }) {
      const open = state.invitations.filter((one) => one.organizationId === organizationId && isOpen(one)).reverse();
      return { items: open.slice(offset, offset + limit).map(rowOf), total: open.length };
    },
    async revoke(organizationId, id) {
      const found = state.invitations.find((one) => one.id === id && one.organizationId === organizationId && isOpen(one));
      if (found) found.revoked = true;
      return found !== undefined;
    },
    async find(tokenHash) {
      const found = state.invitations.find((one) => one.tokenHash === tokenHash);
      if (!found) return null;
      const { id, organizationId, email, role } = found;
      const { name: organizationName, state: standing } = state.organizations.get(organizationId)!;
      const isRevoked = found.revoked || standing === 'closed';
      const ended = isRevoked ? 'revoked' : found.expiresAt <= new Date() ? 'expired' : 'open';
      const userId = [...state.users.values()].find((user) => user.email === email)?.id ?? null;
      return { id, state: found.accepted ? 'accepted' : ended, organizationId, organizationName, email, role, userId };
    },
    async accept(tokenHash, acceptor) {
      const found = state.invitations.find((one) => one.tokenHash === tokenHash);
      if (!found) return { ok: false, reason: 'not_found' };
      const { id, organizationId, email } = found;
      noteAudit({ organizationIds: [organizationId], label: email, targetId: id });
      const refusal = refusalOf(state, found) ?? seatRefusal(state, organizationId, id);
      if (refusal) return refusal;
      const holder = [...state.users.values()].find((user) => user.email === email);
      if ('userId' in acceptor ? holder?.id !== acceptor.userId : holder !== undefined)
        return { ok: false, reason: 'userId' in acceptor ? 'other_account' : 'account_exists' };
      return { ok: true, ...join(state, found, acceptor) };
    },
  };
}

function replace(
  state: MemoryConfigState,
  { organizationId, email, role, tokenHash, invitedById, ttlMs }: NewInvitation,
  open: MemoryInvitation | undefined,
): MemoryInvitation {
  if (open) open.revoked = true;
  const createdAt = new Date();
  const added = {
    id: randomUUID(), organizationId, email, role, tokenHash, invitedById, createdAt,
    expiresAt: new Date(createdAt.getTime() + ttlMs), accepted: false, revoked: false,
  };
  state.invitations.push(added);
  return added;
}

function refusalOf(state: MemoryConfigState, invitation: MemoryInvitation): AcceptRefusal | null {
  const { organizationId, invitedById } = invitation;
  const standing = state.organizations.get(organizationId)!.state;
  const byOwner = state.memberships.some((one) =>
    one.organizationId === organizationId && one.userId === invitedById && one.role === 'owner');
  if (invitation.accepted) return { ok: false, reason: 'accepted' };
  if (invitation.revoked || standing === 'closed' || !byOwner) return { ok: false, reason: 'revoked' };
  if (invitation.expiresAt <= new Date()) return { ok: false, reason: 'expired' };
  return standing === 'closing' ? { ok: false, reason: 'organization_closing' } : null;
}

function join(state: MemoryConfigState, invitation: MemoryInvitation, acceptor: Acceptor) {
  const { organizationId, email } = invitation;
  const userId = 'userId' in acceptor ? acceptor.userId : randomUUID();
  if ('userId' in acceptor) {
    state.users.get(userId)!.verified = true;
    settleMemoryTrial(state, acceptor.trialKeys);
  } else {
    const { name, passwordHash } = acceptor;
    const facts = { verified: true, mfaEnabled: false, deactivated: false, createdAt: new Date() };
    state.users.set(userId, { id: userId, email, name, passwordHash, ...facts });
  }
  invitation.accepted = true;
  const known = state.memberships.find((one) => one.organizationId === organizationId && one.userId === userId);
  const role = known?.role ?? invitation.role;
  if (!known) state.memberships.push({ userId, organizationId, role, joinedAt: new Date() });
  noteAudit({ userId });
  const sessionId = 'userId' in acceptor ? null : openMemorySession(state, { ...acceptor.session, userId, organizationId });
  return { organizationId, userId, role, sessionId };
}
