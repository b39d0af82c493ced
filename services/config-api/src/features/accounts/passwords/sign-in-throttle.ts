import { callerNetwork, sha256Hex } from '@sluice/service-kit';
import type { LimitStore } from '@sluice/service-parts';
import { createAttemptLimit } from '../../../limits/attempt-limit';
import { tooManyAttempts } from '../../../limits/too-many-attempts';

/** An attempt to sign in: account and address. */
export interface SignInAttempt {
  /** Normalized email address, of an account or not. */
  account: string;
  /** Address of the caller. */
  address: string;
}

/**
 * `too_many_attempts`: the account's attempts from this address, or all attempts from it, have to wait from now on.
 * `account_under_attack`: so many failures of the account that every address has only one free failure.
 */
export type ThrottleBegin = 'too_many_attempts' | 'account_under_attack';

/**
 * Slows down guessing of passwords. Waits grow with the failures of an account from one address, and with those of an address
 * over all accounts. An account is never blocked for other addresses: the owner can sign in from any other address at once.
 */
export interface SignInThrottle {
  /**
   * Throws HttpError 429 `too_many_attempts` while the attempt has to wait.
   * @returns whether the account has signed in from this address lately; such an attempt does not wait for the address's failures
   */
  admit(attempt: SignInAttempt): Promise<{ known: boolean }>;
  /** @returns what begins with this failure; null: nothing */
  failed(attempt: SignInAttempt): Promise<ThrottleBegin | null>;
  succeeded(attempt: SignInAttempt): Promise<void>;
}

const minute = 60_000;
const free = { pair: 5, pairUnderAttack: 1, address: 20 };
/** Failures of an account within an hour, from all addresses, from which on every address has only one free failure. */
const attackedFrom = 50;
const knownForMs = 30 * 24 * 60 * minute;

export function createSignInThrottle(store: LimitStore, now: () => number): SignInThrottle {
  const shared = { store, now, firstWaitMs: 1_000 };
  const pairs = createAttemptLimit({
    ...shared,
    name: 'sign-in:pair',
    free: free.pair,
    longestWaitMs: 15 * minute,
    forgetMs: 60 * minute,
  });
  const addresses = createAttemptLimit({
    ...shared,
    name: 'sign-in:address',
    free: free.address,
    longestWaitMs: minute,
    forgetMs: 15 * minute,
  });
  const accountKey = ({ account }: SignInAttempt): string => `sign-in:account:${sha256Hex(account)}`;
  const pairOf = ({ account, address }: SignInAttempt): string => `${sha256Hex(account)}:${callerNetwork(address)}`;
  const knownKey = (attempt: SignInAttempt): string => `sign-in:known:${pairOf(attempt)}`;
  return {
    admit: async (attempt) => {
      const pair = pairOf(attempt);
      const [pairWaitMs, addressWaitMs, [mark]] = await Promise.all([
        pairs.waitMs(pair),
        addresses.waitMs(callerNetwork(attempt.address)),
        store.getMany([knownKey(attempt)]),
      ]);
      const known = typeof mark === 'string';
      const waitMs = known ? pairWaitMs : Math.max(pairWaitMs, addressWaitMs);
      if (waitMs > 0) throw tooManyAttempts(waitMs);
      return { known };
    },
    failed: async (attempt) => {
      const ofAccount = await store.increment(accountKey(attempt), 1, { ttlMs: 60 * minute });
      const freeOfPair = ofAccount > attackedFrom ? free.pairUnderAttack : free.pair;
      const [ofPair, ofAddress] = await Promise.all([
        pairs.failed(pairOf(attempt), freeOfPair),
        addresses.failed(callerNetwork(attempt.address)),
      ]);
      if (ofAccount === attackedFrom + 1) return 'account_under_attack';
      return ofPair === freeOfPair || ofAddress === free.address ? 'too_many_attempts' : null;
    },
    succeeded: async (attempt) => {
      await Promise.all([pairs.clear(pairOf(attempt)), store.set(knownKey(attempt), '1', { ttlMs: knownForMs })]);
    },
  };
}
