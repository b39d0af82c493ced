import { callerNetwork } from '@sluice/service-kit';
import { createAttemptLimit } from '../../limits/attempt-limit';
import { tooManyAttempts } from '../../limits/too-many-attempts';
import type { OidcDeps } from './deps';

const minute = 60_000;

/** Slows networks down whose sign-ins fail, as those with wrong passwords. */
export interface OidcThrottle {
  /** @throws HttpError 429 `too_many_attempts` while the network has to wait */
  admit(address: string): Promise<void>;
  /** Runs a step of a sign-in; a failure counts. */
  counted<T>(address: string, step: () => Promise<T>): Promise<T>;
}

export function createOidcThrottle({ limits: store, now }: Pick<OidcDeps, 'limits' | 'now'>): OidcThrottle {
  const failures = createAttemptLimit({
    store, now, name: 'sign-in:oidc', free: 20, firstWaitMs: 1_000, longestWaitMs: minute, forgetMs: 15 * minute,
  });
  return {
    async admit(address) {
      const waitMs = await failures.waitMs(callerNetwork(address));
      if (waitMs > 0) throw tooManyAttempts(waitMs);
    },
    async counted(address, step) {
      try {
        return await step();
      } catch (error) {
        await failures.failed(callerNetwork(address));
        throw error;
      }
    },
  };
}
