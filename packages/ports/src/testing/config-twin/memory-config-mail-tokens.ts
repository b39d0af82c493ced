import { noteAudit } from '../../config-store/audit-scope';
import type { MailTokenStore, NewMailToken, TokenRefusal, TrialKeys } from '../../config-store';
import { memoryEmailChange } from './memory-config-email-change';
import { addMemoryMail } from './memory-config-mails';
import { setMemoryPassword } from './memory-config-sessions';
import type { MemoryMailToken, MemoryUser } from './memory-config-rows';
import { type MemoryConfigState, organizationIdsOf } from './memory-config-state';
import { copy } from '../shared/memory-copy';
import { settleMemoryTrial } from './memory-config-trials';

interface TokenHolder {
  userId: string | null;
  address: string;
  sendable: boolean;
}

export function addMemoryMailToken(
  state: MemoryConfigState,
  purpose: string,
  { userId, address, sendable }: TokenHolder,
  { tokenHash, ttlMs, mail }: NewMailToken,
): void {
  const expiresAt = new Date(Date.now() + ttlMs);
  state.mailTokens.set(tokenHash, { purpose, userId: sendable ? userId : null, address, expiresAt, consumed: false });
  addMemoryMail(state, mail, sendable);
}

/** Tokens that prove an address. */
export function createMemoryMailTokens(state: MemoryConfigState): MailTokenStore {
  const byEmail = (email: string): MemoryUser | undefined => [...state.users.values()].find((user) => user.email === email);
  return {
    async requestVerification(email, token) {
      const user = byEmail(email);
      const sendable = user !== undefined && !user.verified && !user.deactivated;
      addMemoryMailToken(state, 'verify_email', { userId: user?.id ?? null, address: email, sendable }, token);
    },
    async verify({ tokenHash, sessionUserId, trialKeysOf }) {
      const found = checkToken(state, 'verify_email', tokenHash, sessionUserId);
      if (!found.ok) return found;
      found.token.consumed = true;
      verified(state, found.user, trialKeysOf);
      return { ok: true, userId: found.user.id };
    },
    async requestReset(email, token) {
      const user = byEmail(email);
      for (const [hash, { purpose, userId, consumed }] of state.mailTokens)
        if (user && userId === user.id && purpose === 'reset_password' && !consumed) state.mailTokens.delete(hash);
      const sendable = user !== undefined && !user.deactivated;
      addMemoryMailToken(state, 'reset_password', { userId: user?.id ?? null, address: email, sendable }, token);
    },
    async findReset(tokenHash) {
      const found = checkToken(state, 'reset_password', tokenHash);
      if (!found.ok) return found;
      const organizationIds = organizationIdsOf(state, found.user.id);
      const [id] = organizationIds;
      const organizationName = id === undefined ? null : state.organizations.get(id)!.name;
      return { ok: true, user: { ...copy(found.user), organizationIds }, organizationName };
    },
    async reset({ tokenHash, passwordHash, trialKeysOf }) {
      const found = checkToken(state, 'reset_password', tokenHash);
      if (!found.ok) return found;
      found.token.consumed = true;
      setMemoryPassword(state, found.user.id, passwordHash);
      verified(state, found.user, trialKeysOf);
      return { ok: true, userId: found.user.id };
    },
    ...memoryEmailChange(state),
    async sweep(before) {
      const old = [...state.mailTokens].filter(([, { expiresAt }]) => expiresAt < before);
      for (const [hash] of old) state.mailTokens.delete(hash);
      return old.length;
    },
  };
}

type Checked = { ok: true; user: MemoryUser; token: MemoryMailToken } | { ok: false; reason: TokenRefusal };

function checkToken(
  state: MemoryConfigState,
  purpose: string,
  tokenHash: string,
  sessionUserId: string | null = null,
): Checked {
  const token = state.mailTokens.get(tokenHash);
  const user = state.users.get(token?.userId ?? '');
  if (!token || !user || token.purpose !== purpose) return { ok: false, reason: 'token_invalid' };
  if (token.consumed) return { ok: false, reason: 'token_consumed' };
  if (token.expiresAt <= new Date()) return { ok: false, reason: 'token_expired' };
  if (user.email !== token.address) return { ok: false, reason: 'token_invalid' };
  if (sessionUserId !== null && sessionUserId !== user.id) return { ok: false, reason: 'other_account' };
  return { ok: true, user, token };
}

function verified(state: MemoryConfigState, user: MemoryUser, trialKeysOf: (email: string) => TrialKeys): void {
  user.verified = true;
  settleMemoryTrial(state, trialKeysOf(user.email));
  const { id: userId, email: label } = user;
  noteAudit({ organizationIds: organizationIdsOf(state, userId).slice(0, 1), userId, label, targetId: userId });
}
