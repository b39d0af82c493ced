import type { NewSession } from './account-store';

/** A second factor: a secret that makes codes (TOTP, RFC 6238). */
export interface SecondFactorRow {
  /** The secret, encrypted. */
  sealed: string;
  /** False: an enrollment that was not confirmed yet. */
  enabled: boolean;
}

/**
 * What a code turned out to be. The store knows no secrets: it decides whether the code was taken before, and counts wrong ones.
 */
export interface CodeProof {
  /** Of the factor that the code was compared with: another one has replaced it when it differs. */
  sealed: string;
  /** The time step whose code it is; null: it is no code of the secret now. */
  step: number | null;
  /** What the code hashes to as a recovery code, one for each key of the installation. */
  recoveryHashes: readonly string[];
}

/** Wrong codes that an account takes; then none is taken until the lock has passed. */
export const mostWrongFactorCodes = 5;

/** Which steps a code may be of, before and after the present one. */
export const stepWindow = 1;

/** `waitMs`: milliseconds until a code is taken again. */
export type CodeRefusal = { ok: false; reason: 'code_wrong' } | { ok: false; reason: 'code_locked'; waitMs: number };

export interface CodeRequest {
  userId: string;
  proof: CodeProof;
  /** Milliseconds for which no code is taken after too many wrong ones. */
  lockMs: number;
}

/**
 * Why the second step of a sign-in is refused. `expired_elsewhere`: it has expired, and a third-party sign-in was its first step.
 */
export type ChallengeRefusal = { ok: false; reason: 'challenge_unknown' | 'expired_elsewhere' };

/**
 * Second factors of accounts. A code is taken once, and so is a recovery code; of two requests with one code at the same moment
 * one wins. Wrong codes of an account are counted over all of its requests; a right one starts the count again.
 */
export interface SecondFactorStore {
  /** Begins an enrollment, in place of one that was not confirmed within `pendingMs`. */
  enroll(request: { userId: string; sealed: string; pendingMs: number }): Promise<
    { ok: true } | { ok: false; reason: 'mfa_already_enabled' | 'enrollment_already_in_progress' }
  >;
  /** null: none, or its enrollment is older than `pendingMs`. */
  find(userId: string, pendingMs: number): Promise<SecondFactorRow | null>;
  /** Switches the enrolled factor on. */
  confirm(request: CodeRequest & { recoveryHashes: readonly string[] }): Promise<{ ok: true } | CodeRefusal>;
  /** Switches it off; its recovery codes are worth nothing. */
  disable(request: CodeRequest): Promise<{ ok: true } | CodeRefusal>;
  /** The earlier recovery codes are worth nothing from then on. */
  replaceRecoveryCodes(request: CodeRequest & { recoveryHashes: readonly string[] }): Promise<{ ok: true } | CodeRefusal>;
  /** The first step of a sign-in has succeeded: its second needs the token. @param elsewhere it was a third-party sign-in */
  challenge(challenge: { userId: string; tokenHash: string; ttlMs: number; elsewhere: boolean }): Promise<void>;
  /** Whose second step a token is for, without using it up. */
  findChallenge(tokenHash: string): Promise<{ ok: true; userId: string } | ChallengeRefusal>;
  /** Opens a session in the account's first organization; the token is used up. */
  signIn(request: CodeRequest & { tokenHash: string; session: NewSession }): Promise<
    | { ok: true; sessionId: string; userId: string; organizationId: string | null }
    | CodeRefusal | ChallengeRefusal | { ok: false; reason: 'deactivated' }
  >;
  /** Deletes tokens that expired before `before`. */
  sweepChallenges(before: Date): Promise<void>;
}
