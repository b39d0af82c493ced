import { createHash } from 'node:crypto';
import { callerNetwork } from '@sluice/service-kit';
import { compare, hash } from 'bcrypt';
import { tooManyAttempts } from '../../../limits/too-many-attempts';
import type { SignInAttempt, SignInThrottle, ThrottleBegin } from './sign-in-throttle';
import { createWorkSlots, TooMuchWaiting } from '../../../work/work-slots';

/** bcrypt's work factor: about a tenth of a second on one core. */
const usualRounds = 11;

const waiting = { maxWaitingPerLane: 50, maxWaiting: 500 };

/** Hashes and compares passwords, a bounded number at a time, because each uses a core for a tenth of a second. */
export interface Passwords {
  /**
   * @param address of the caller
   * @throws HttpError 429 when too much waits already
   */
  hash(password: string, address: string): Promise<string>;
  /**
   * Whether a password is the one of a hash, for who has proved otherwise whose account it is: no throttle counts the answer.
   * @param address of the caller
   * @throws HttpError 429 when too much waits already
   */
  isSame(password: string, passwordHash: string, address: string): Promise<boolean>;
  /**
   * The user of an attempt to sign in, null when there is none or the password is another; both take the same time. The
   * throttle counts the answer.
   * @param throttled told when the throttle begins to refuse attempts on this user's account
   * @throws HttpError 429 while the attempt has to wait
   */
  check<U extends { passwordHash: string }>(
    attempt: SignInAttempt & { password: string },
    findUser: () => Promise<U | null>,
    throttled?: (user: U, begin: ThrottleBegin) => Promise<void>,
  ): Promise<U | null>;
}

/**
 * @param slots passwords hashed at the same time
 * @param rounds bcrypt's work factor
 */
export function createPasswords(throttle: SignInThrottle, slots: number, rounds = usualRounds): Passwords {
  const work = createWorkSlots({ slots, ...waiting });
  /** A hash that no password has, so that an unknown email address takes the same time as a wrong password. */
  let nobody: Promise<string> | undefined;
  const inTurn = <T,>(lane: string, urgent: boolean, task: () => Promise<T>): Promise<T> =>
    work.run(lane, urgent, task).catch((error: unknown) => {
      throw error instanceof TooMuchWaiting ? tooManyAttempts(1_000) : error;
    });
  return {
    hash: (password, address) => inTurn(callerNetwork(address), false, () => hash(digest(password), rounds)),
    isSame: (password, passwordHash, address) =>
      inTurn(callerNetwork(address), false, async () => passwordHash !== '' && compare(digest(password), passwordHash)),
    check: async (attempt, findUser, throttled) => {
      const { known } = await throttle.admit(attempt);
      return inTurn(callerNetwork(attempt.address), known, async () => {
        // Other attempts of the same account or address may have failed while this one waited.
        await throttle.admit(attempt);
        const user = await findUser();
        const same = await compare(digest(attempt.password), user?.passwordHash || (await (nobody ??= hash('', rounds))));
        if (user && same) {
          await throttle.succeeded(attempt);
          return user;
        }
        const begin = await throttle.failed(attempt);
        if (user && begin) await throttled?.(user, begin);
        return null;
      });
    },
  };
}

/** bcrypt reads 72 bytes and stops at a zero byte; passwords may be longer. */
const digest = (password: string): string => createHash('sha256').update(password, 'utf8').digest('base64');
