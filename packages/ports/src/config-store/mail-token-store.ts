import type { TrialKeys, UserRow } from './account-store';
import type { NewMail } from './mail-store';
import type { NewMailToken } from './new-mail-token';

/** Why a token is not taken. `other_account`: the session that came with it is another account's. */
export type TokenRefusal = 'token_invalid' | 'token_expired' | 'token_consumed' | 'other_account';

export interface NewEmailChange {
  userId: string;
  newEmail: string;
  token: NewMailToken;
  /** Of the code that stands beside the link. */
  codeHash: string;
  notice: NewMail;
}

/** A code is short, so its hash is made with a secret: one for each key of the installation. */
export type EmailChangeProof = { tokenHash: string } | { codeHashes: readonly string[] };

export type EmailChangeRefusal =
  | 'no_pending_change' | 'token_invalid' | 'token_expired' | 'code_invalid' | 'code_expired' | 'email_taken';

/** Wrong codes that a change of address takes; then only its link is left. */
export const mostWrongCodes = 5;

/** A token is bound to the account and its present address: after a change of address it is invalid. */
export interface MailTokenStore {
  /**
   * Sends an address its verification mail again. For an address without an account, or with a verified one, the same work is
   * done and nothing is sent: the time it takes tells nobody which addresses have accounts.
   */
  requestVerification(email: string, token: NewMailToken): Promise<void>;
  /**
   * Verifies an address. Of two at the same moment one wins. Decides about the trial of the mail domain: where another account's
   * organization has used it, the organization that the account signed up with moves to `free`.
   * @param sessionUserId the account that is signed in where the link was opened
   */
  verify(request: {
    tokenHash: string;
    sessionUserId: string | null;
    trialKeysOf(email: string): TrialKeys;
  }): Promise<{ ok: true; userId: string } | { ok: false; reason: TokenRefusal }>;
  /**
   * Sends a link that resets the password; the older ones are worth nothing from then on. As with a verification, the same work
   * is done for an address without an account.
   */
  requestReset(email: string, token: NewMailToken): Promise<void>;
  /** Whose password a token resets, without using it up. */
  findReset(tokenHash: string): Promise<
    { ok: true; user: UserRow; organizationName: string | null } | { ok: false; reason: TokenRefusal }
  >;
  /** Sets a new password, once. Every session of the account ends, its other links too, and its address is verified. */
  reset(request: {
    tokenHash: string;
    passwordHash: string;
    trialKeysOf(email: string): TrialKeys;
  }): Promise<{ ok: true; userId: string } | { ok: false; reason: TokenRefusal }>;
  /** Asks for another address: its mail goes there, the notice to the present one. An earlier request is replaced. */
  requestEmailChange(request: NewEmailChange): Promise<{ ok: true } | { ok: false; reason: 'same_email' | 'email_taken' }>;
  /**
   * Changes the address, once, by the token or by the code. Five wrong codes end the code.
   * @param noticeOf the mail that tells the old address
   */
  confirmEmailChange(request: {
    userId: string;
    proof: EmailChangeProof;
    noticeOf(addresses: { from: string; to: string }): NewMail;
  }): Promise<
    | { ok: true }
    | { ok: false; reason: EmailChangeRefusal }
    /** `waitMs`: milliseconds until the change expires. */
    | { ok: false; reason: 'code_attempts_exhausted'; waitMs: number }
  >;
  /** Deletes tokens that expired before `before`; returns how many. */
  sweep(before: Date): Promise<number>;
}
