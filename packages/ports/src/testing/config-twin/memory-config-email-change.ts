import { noteAudit } from '../../config-store/audit-scope';
import { type EmailChangeProof, type MailTokenStore, mostWrongCodes } from '../../config-store';
import { addMemoryMail } from './memory-config-mails';
import type { MemoryMailToken } from './memory-config-rows';
import type { MemoryConfigState } from './memory-config-state';

type EmailChange = Pick<MailTokenStore, 'requestEmailChange' | 'confirmEmailChange'>;
type Refused = Extract<Awaited<ReturnType<EmailChange['confirmEmailChange']>>, { ok: false }>;

/** Changes of address of the twin. */
export function memoryEmailChange(state: MemoryConfigState): EmailChange {
  const isTaken = (email: string): boolean => [...state.users.values()].some((user) => user.email === email);
  return {
    async requestEmailChange({ userId, newEmail, token, codeHash, notice }) {
      const { email } = state.users.get(userId)!;
      if (email === newEmail) return { ok: false, reason: 'same_email' };
      if (isTaken(newEmail)) return { ok: false, reason: 'email_taken' };
      for (const [hash, { purpose, userId: owner }] of state.mailTokens)
        if (owner === userId && purpose === 'change_email') state.mailTokens.delete(hash);
      state.mailTokens.set(token.tokenHash, {
        purpose: 'change_email', userId, address: email, expiresAt: new Date(Date.now() + token.ttlMs), consumed: false,
        change: { newAddress: newEmail, codeHash, attempts: 0 },
      });
      addMemoryMail(state, token.mail);
      addMemoryMail(state, notice);
      noteAudit({ targetId: userId });
      return { ok: true };
    },
    async confirmEmailChange({ userId, proof, noticeOf }) {
      const user = state.users.get(userId)!;
      const pending = [...state.mailTokens].find(([, one]) =>
        one.userId === userId && one.purpose === 'change_email' && !one.consumed && one.address === user.email);
      if (!pending) return { ok: false, reason: 'no_pending_change' };
      const [hash, token] = pending;
      const refused = refusalOf(hash, token, proof);
      if (refused?.reason === 'code_invalid') token.change!.attempts += 1;
      if (refused) return refused;
      const [from, to] = [token.address, token.change!.newAddress];
      if (isTaken(to)) return { ok: false, reason: 'email_taken' };
      Object.assign(user, { email: to, verified: true });
      token.consumed = true;
      addMemoryMail(state, noticeOf({ from, to }));
      noteAudit({ targetId: userId });
      return { ok: true };
    },
  };
}

function refusalOf(hash: string, { change, expiresAt }: MemoryMailToken, proof: EmailChangeProof): Refused | null {
  const waitMs = expiresAt.getTime() - Date.now();
  if ('tokenHash' in proof) {
    if (proof.tokenHash !== hash) return { ok: false, reason: 'token_invalid' };
    return waitMs <= 0 ? { ok: false, reason: 'token_expired' } : null;
  }
  if (waitMs <= 0) return { ok: false, reason: 'code_expired' };
  if (change!.attempts >= mostWrongCodes) return { ok: false, reason: 'code_attempts_exhausted', waitMs };
  return proof.codeHashes.includes(change!.codeHash) ? null : { ok: false, reason: 'code_invalid' };
}
