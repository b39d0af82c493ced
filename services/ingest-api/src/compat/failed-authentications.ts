import type { WallClock } from '@sluice/ports';
import type { LimitStore } from '@sluice/service-parts';
import { createCallerPlaces } from '../limits/caller-places';
import { compatError } from './compat-error';

/**
 * Limits the failed authentications of a network, over all paths of the legacy-compatible ingress and all connectors. While it is
 * locked, calls with a good key are refused too.
 */
export interface FailedAuthentications {
  /**
   * The answer of `check`; null counts as a failure. Rejects with HttpError 429 while the network is locked. Few checks of a
   * network are under way at once: guesses that are sent together are counted before the next ones are looked at.
   */
  guard<T>(network: string, check: () => Promise<T | null>): Promise<T | null>;
}

const [maxFailures, windowMs] = [20, 900_000];
const [perNetwork, maxWaiting] = [4, 1_000];

export function createFailedAuthentications(
  { limits, now }: { limits: Pick<LimitStore, 'getMany' | 'increment' | 'set'>; now: WallClock },
): FailedAuthentications {
  const places = createCallerPlaces({ perCaller: perNetwork, maxWaiting });
  const lockKey = (network: string): string => `compat-locked:${network}`;

  const assertOpen = async (network: string): Promise<void> => {
    const [until] = await limits.getMany([lockKey(network)]);
    const waitMs = Number(until ?? 0) - now();
    if (waitMs > 0) throw locked(waitMs);
  };
  const failed = async (network: string): Promise<void> => {
    const failures = await limits.increment(`compat-failed:${network}`, 1, { ttlMs: windowMs });
    if (failures >= maxFailures) await limits.set(lockKey(network), String(now() + windowMs), { ttlMs: windowMs });
  };
  return {
    guard: async (network, check) => {
      const answer = places.run(network, async () => {
        await assertOpen(network);
        const found = await check();
        if (found === null) await failed(network);
        return found;
      });
      if (answer === 'full') throw locked(1_000);
      return answer;
    },
  };
}

const locked = (waitMs: number): Error =>
  compatError(429, 'Too many failed authentications', { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1_000))) });
