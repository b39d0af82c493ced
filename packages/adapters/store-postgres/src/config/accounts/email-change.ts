import { type EmailChangeProof, type MailTokenStore, mostWrongCodes, noteAudit } from '@sluice/ports';
import type { PrismaClient } from '../../generated/client';
import { addMail } from '../mails/add-mail';
import { inTransaction, type Transaction, violates } from '../../config-client/config-client';
import { inMs } from '../../config-client/database-time';
import { lockUser } from './lock-user';

type EmailChange = Pick<MailTokenStore, 'requestEmailChange' | 'confirmEmailChange'>;
type Refused = Extract<Awaited<ReturnType<EmailChange['confirmEmailChange']>>, { ok: false }>;

/** A change of address: asked for, then confirmed by the link or the code that went to the new address. */
export function emailChange(prisma: PrismaClient): EmailChange {
  return {
    requestEmailChange: ({ userId, newEmail, token, codeHash, notice }) => inTransaction(prisma, async (tx) => {
      const email = (await lockUser(tx, { id: userId }))?.email;
      if (email === newEmail) return { ok: false, reason: 'same_email' };
      if ((await tx.user.count({ where: { email: newEmail } })) > 0) return { ok: false, reason: 'email_taken' };
      await tx.mailToken.deleteMany({ where: { user_id: userId, purpose: 'change_email' } });
      await tx.$executeRaw`
        INSERT INTO mail_tokens (token_hash, purpose, user_id, address, new_address, code_hash, expires_at)
        VALUES (${token.tokenHash}, 'change_email', ${userId}::uuid, ${email}, ${newEmail}, ${codeHash}, ${inMs(token.ttlMs)})`;
      await addMail(tx, token.mail);
      await addMail(tx, notice);
      noteAudit({ targetId: userId });
      return { ok: true };
    }),

    async confirmEmailChange(request) {
      try {
        return await inTransaction(prisma, (tx) => confirm(tx, request));
      } catch (error) {
        // Somebody took the address meanwhile.
        if (violates(error, 'email')) return { ok: false, reason: 'email_taken' };
        throw error;
      }
    },
  };
}

interface PendingChange {
  token_hash: string;
  code_hash: string;
  address: string;
  new_address: string;
  attempts: number;
  /** Milliseconds until it expires; 0 or less: it has. */
  left_ms: number;
}

/** The change is locked: of two who confirm it, the second finds none; wrong codes are counted one after the other. */
async function confirm(
  tx: Transaction,
  { userId, proof, noticeOf }: Parameters<EmailChange['confirmEmailChange']>[0],
): ReturnType<EmailChange['confirmEmailChange']> {
  const [pending] = await tx.$queryRaw<PendingChange[]>`
    SELECT t.token_hash, t.code_hash, t.address, t.new_address, t.attempts,
      (EXTRACT(epoch FROM t.expires_at - now()) * 1000)::float8 AS left_ms
    FROM mail_tokens t JOIN users u ON u.id = t.user_id
    WHERE t.user_id = ${userId}::uuid AND t.purpose = 'change_email' AND t.consumed_at IS NULL AND t.address = u.email
    FOR UPDATE OF t`;
  if (!pending) return { ok: false, reason: 'no_pending_change' };
  const refused = refusalOf(pending, proof);
  if (refused?.reason === 'code_invalid')
    await tx.$executeRaw`UPDATE mail_tokens SET attempts = attempts + 1 WHERE token_hash = ${pending.token_hash}`;
  if (refused) return refused;
  const { address: from, new_address: to } = pending;
  if ((await tx.user.count({ where: { email: to } })) > 0) return { ok: false, reason: 'email_taken' };
  await tx.$executeRaw`UPDATE users SET email = ${to}, verified_at = now(), updated_at = now() WHERE id = ${userId}::uuid`;
  await tx.$executeRaw`UPDATE mail_tokens SET consumed_at = now() WHERE token_hash = ${pending.token_hash}`;
  await addMail(tx, noticeOf({ from, to }));
  noteAudit({ targetId: userId });
  return { ok: true };
}

function refusalOf(pending: PendingChange, proof: EmailChangeProof): Refused | null {
  const isExpired = pending.left_ms <= 0;
  if ('tokenHash' in proof) {
    if (proof.tokenHash !== pending.token_hash) return { ok: false, reason: 'token_invalid' };
    return isExpired ? { ok: false, reason: 'token_expired' } : null;
  }
  if (isExpired) return { ok: false, reason: 'code_expired' };
  if (pending.attempts >= mostWrongCodes) return { ok: false, reason: 'code_attempts_exhausted', waitMs: pending.left_ms };
  return proof.codeHashes.includes(pending.code_hash) ? null : { ok: false, reason: 'code_invalid' };
}
