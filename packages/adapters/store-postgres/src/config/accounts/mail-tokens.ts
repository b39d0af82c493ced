import type { NewMailToken, TokenRefusal } from '@sluice/ports';
import { addMail } from '../mails/add-mail';
import type { Reader, Transaction } from '../../config-client/config-client';
import { inMs } from '../../config-client/database-time';

export type MailTokenPurpose = 'verify_email' | 'reset_password';

export interface TokenHolder {
  /** null: the address is nobody's. */
  userId: string | null;
  address: string;
  /** False: the token is written, and no mail goes. */
  sendable: boolean;
}

/** Adds a token and the mail that carries it. For nobody both are written too, because that takes the same time. */
export async function addMailToken(
  tx: Transaction,
  purpose: MailTokenPurpose,
  { userId, address, sendable }: TokenHolder,
  { tokenHash, ttlMs, mail }: NewMailToken,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO mail_tokens (token_hash, purpose, user_id, address, expires_at)
    VALUES (${tokenHash}, ${purpose}, ${sendable ? userId : null}::uuid, ${address}, ${inMs(ttlMs)})`;
  await addMail(tx, mail, sendable);
}

interface TokenRow {
  user_id: string;
  address: string;
  email: string;
  consumed: boolean;
  expired: boolean;
}

type Checked = { ok: true; userId: string; email: string } | { ok: false; reason: TokenRefusal };

/** Uses a token up under its row lock: of two who bring it, the second reads that it is consumed. */
export async function takeMailToken(
  tx: Transaction,
  purpose: MailTokenPurpose,
  tokenHash: string,
  sessionUserId: string | null = null,
): Promise<Checked> {
  const checked = await checkMailToken(tx, purpose, tokenHash, sessionUserId);
  if (checked.ok) await tx.$executeRaw`UPDATE mail_tokens SET consumed_at = now() WHERE token_hash = ${tokenHash}`;
  return checked;
}

/** Whether a token is good now, under its row lock, which ends with the transaction. */
export async function checkMailToken(
  reader: Reader,
  purpose: MailTokenPurpose,
  tokenHash: string,
  sessionUserId: string | null = null,
): Promise<Checked> {
  const [token] = await reader.$queryRaw<TokenRow[]>`
    SELECT t.user_id, t.address, u.email, t.consumed_at IS NOT NULL AS consumed, t.expires_at <= now() AS expired
    FROM mail_tokens t JOIN users u ON u.id = t.user_id
    WHERE t.token_hash = ${tokenHash} AND t.purpose = ${purpose} FOR UPDATE OF t`;
  if (!token) return { ok: false, reason: 'token_invalid' };
  if (token.consumed) return { ok: false, reason: 'token_consumed' };
  if (token.expired) return { ok: false, reason: 'token_expired' };
  if (token.email !== token.address) return { ok: false, reason: 'token_invalid' };
  if (sessionUserId !== null && sessionUserId !== token.user_id) return { ok: false, reason: 'other_account' };
  return { ok: true, userId: token.user_id, email: token.email };
}
