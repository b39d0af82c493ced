import { apiError, callerNetwork } from '@sluice/service-kit';
import type { LimitStore } from '@sluice/service-parts';
import { createAttemptLimit } from './attempt-limit';
import { tooManyAttempts } from './sign-in-throttle';

const minute = 60_000;
/** Scripts with an old token try a few times before somebody looks; a guesser needs millions. */
const free = 20;

/**
 * Makes guessing the operator token slow: waits grow with the wrong tokens of an address. The right token from another address never
 * waits. While an address waits, its tokens are not looked at, so that the answers tell nothing of them.
 */
export interface OperatorThrottle {
  /** @throws HttpError 429 while the address has to wait, 401 when the token is wrong */
  check(address: string, isRight: () => boolean): Promise<void>;
}

export function createOperatorThrottle(store: LimitStore, now: () => number): OperatorThrottle {
  const waits = { free, firstWaitMs: 1_000, longestWaitMs: 5 * minute, forgetMs: 60 * minute };
  const limit = createAttemptLimit({ store, now, name: 'operator', ...waits });
  return {
    check: async (address, isRight) => {
      const network = callerNetwork(address);
      const waitMs = await limit.waitMs(network);
      if (waitMs > 0) throw tooManyAttempts(waitMs);
      if (isRight()) return;
      await limit.failed(network);
      throw apiError('Invalid token', {}, { 'WWW-Authenticate': 'Bearer' });
    },
  };
}
