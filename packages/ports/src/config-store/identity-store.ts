import type { TrialKeys, UserRow } from './account-store';

/** Somebody who was signed in elsewhere. */
export interface ForeignSignIn {
  issuer: string;
  subject: string;
  /** Trimmed and lower-cased; null: the issuer names none, or does not vouch for it. */
  verifiedEmail: string | null;
  name: string | null;
  /** Of an organization that is made for a new account. */
  organizationName: string;
  trialKeys: TrialKeys;
  trialMs: number;
}

/** Which account somebody is who signs in elsewhere. */
export interface IdentityStore {
  /**
   * By issuer and subject first, else by the address of a verified account, which is linked then, else a new account with an
   * organization; its trial is decided as at a sign-up with a verified address. An unverified account loses its address: it is
   * signed out everywhere and can no longer sign in. Two at the same moment are the same account.
   */
  resolve(signIn: ForeignSignIn): Promise<
    { ok: true; user: UserRow; created: boolean } | { ok: false; reason: 'not_vouched_for' }
  >;
}
