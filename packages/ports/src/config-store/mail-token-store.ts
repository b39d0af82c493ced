import type { TrialKeys } from './account-store';
import type { NewMail } from './mail-store';

/**
 * A token that goes to an address by mail. What is stored is its hash, which is made for its purpose (a hash of another is
 * unknown).
 */
export interface NewMailToken {
  tokenHash: string;
  ttlMs: number;
  mail: NewMail;
}

/** Why a token is not taken. `other_account`: the session that came with it is another account's. */
export type TokenRefusal = 'token_invalid' | 'token_expired' | 'token_consumed' | 'other_account';

/**
 * A token of a verified purpose is bound to the account and the address it was sent to: after a change of address it is invalid.
 */
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
  /** Deletes tokens that expired before `before`; returns how many. */
  sweep(before: Date): Promise<number>;
}
