import { apiError, callerNetwork, sha256Hex } from '@sluice/service-kit';
import type { LimitStore } from '@sluice/service-parts';
import { createAttemptLimit } from '../limits/attempt-limit';
import { tooManyAttempts } from '../limits/too-many-attempts';

const minute = 60_000;
/** A script with an old token repeats it a few times; guessing needs millions of different tokens. */
const free = { tokens: 20, repeats: 10 };
/**
 * Hundreds of guesses an hour find no token that the settings accept, and an operator with the same address does not wait long.
 */
const waits = { firstWaitMs: 1_000, longestWaitMs: 5_000, forgetMs: 60 * minute };

/**
 * Slows down guessing of the operator token: waits grow with the wrong tokens of an address. A repeated wrong token counts again
 * only after many repeats. The right token from another address never waits. While an address waits, its tokens are not checked,
 * so that the answers reveal nothing.
 */
export interface OperatorThrottle {
  /** @throws HttpError 429 while the address has to wait, 401 when the token is wrong */
  check(address: string, token: string, isRight: (token: string) => boolean): Promise<void>;
}

export function createOperatorThrottle(store: LimitStore, now: () => number): OperatorThrottle {
  const limit = createAttemptLimit({ store, now, name: 'operator', free: free.tokens, ...waits });
  const isNew = async (network: string, token: string): Promise<boolean> => {
    const key = `operator:tried:${network}:${sha256Hex(token).slice(0, 32)}`;
    const times = await store.increment(key, 1, { ttlMs: waits.forgetMs });
    return times === 1 || times > free.repeats;
  };
  return {
    check: async (address, token, isRight) => {
      const network = callerNetwork(address);
      const waitMs = await limit.waitMs(network);
      if (waitMs > 0) throw tooManyAttempts(waitMs);
      if (isRight(token)) return;
      if (await isNew(network, token)) await limit.failed(network);
      throw apiError('Invalid token', {}, { 'WWW-Authenticate': 'Bearer' });
    },
  };
}
