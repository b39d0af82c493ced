import { noteAudit } from '../audit-scope';
import type { MailStore, MailTokenStore, NewMail, NewMailToken, TokenRefusal } from '../config-store';
import { copy, type MemoryConfigState, type MemoryUser, organizationIdsOf } from './memory-config-state';
import { settleMemoryTrial } from './memory-config-trials';

interface TokenHolder {
  userId: string | null;
  address: string;
  sendable: boolean;
}

/** Mails of the twin. */
export function createMemoryMails(state: MemoryConfigState): MailStore {
  return {
    add: async (mail) => addMemoryMail(state, mail),
    list: async (to, limit) => {
      const waiting = state.mails.filter(({ ended, expiresAt }) => !ended && expiresAt > new Date());
      const wanted = waiting.filter((mail) => to === null || mail.to === to).slice(0, limit);
      return wanted.map(({ expiresAt: _, ended: __, ...mail }) => copy(mail));
    },
  };
}

export function addMemoryMail(state: MemoryConfigState, { ttlMs, ...mail }: NewMail, sendable = true): void {
  const createdAt = new Date();
  state.mails.unshift({ ...copy(mail), createdAt, expiresAt: new Date(createdAt.getTime() + ttlMs), ended: !sendable });
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
      const taken = takeToken(state, 'verify_email', tokenHash, sessionUserId);
      if (!taken.ok) return taken;
      taken.user.verified = true;
      settleMemoryTrial(state, trialKeysOf(taken.user.email));
      const { id: userId, email: label } = taken.user;
      noteAudit({ organizationIds: organizationIdsOf(state, userId).slice(0, 1), userId, label, targetId: userId });
      return { ok: true, userId };
    },
    async sweep(before) {
      const old = [...state.mailTokens].filter(([, { expiresAt }]) => expiresAt < before);
      for (const [hash] of old) state.mailTokens.delete(hash);
      return old.length;
    },
  };
}

function takeToken(
  state: MemoryConfigState,
  purpose: string,
  tokenHash: string,
  sessionUserId: string | null,
): { ok: true; user: MemoryUser } | { ok: false; reason: TokenRefusal } {
  const token = state.mailTokens.get(tokenHash);
  const user = state.users.get(token?.userId ?? '');
  if (!token || !user || token.purpose !== purpose) return { ok: false, reason: 'token_invalid' };
  if (token.consumed) return { ok: false, reason: 'token_consumed' };
  if (token.expiresAt <= new Date()) return { ok: false, reason: 'token_expired' };
  if (user.email !== token.address) return { ok: false, reason: 'token_invalid' };
  if (sessionUserId !== null && sessionUserId !== user.id) return { ok: false, reason: 'other_account' };
  token.consumed = true;
  return { ok: true, user };
}
