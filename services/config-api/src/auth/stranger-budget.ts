import type { MonotonicClock } from '@sluice/ports';
import { createTokenBuckets, rateLimitError } from '@sluice/service-kit';

/**
 * How many wrong tokens and keys a network may try, so that a sender of invented ones does not cause a read each. Counted in this
 * process, because it protects this process. The same numbers as on the event plane.
 */
export interface StrangerBudget {
  /**
   * Takes one attempt beforehand, so that attempts that arrive together count too.
   * @throws HttpError 429 when the network has used up its attempts
   */
  take(network: string): void;
  /** Gives it back: the token was right. */
  giveBack(network: string): void;
}

const attempts = { perSecond: 20, atOnce: 100 };
const maxNetworks = 50_000;

/** @param scale SLUICE_RATE_LIMIT_SCALE; 0 turns the budget off */
export function createStrangerBudget(scale: number, monotonicNow: MonotonicClock): StrangerBudget {
  if (scale === 0) return { take: () => undefined, giveBack: () => undefined };
  const perSecond = attempts.perSecond * scale;
  const capacity = Math.max(1, attempts.atOnce * scale);
  const buckets = createTokenBuckets({ capacity, perSecond, maxKeys: maxNetworks, monotonicNow });
  return {
    take: (network) => {
      if (buckets.left(network) < 1) {
        const waitMs = buckets.waitMs(network);
        throw rateLimitError({ limit: Math.ceil(perSecond), remaining: 0, resetMs: waitMs, retryAfterMs: waitMs });
      }
      buckets.take(network, 1);
    },
    giveBack: (network) => buckets.giveBack(network, 1),
  };
}
