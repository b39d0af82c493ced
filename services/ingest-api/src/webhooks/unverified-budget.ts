import type { MonotonicClock } from '@sluice/ports';
import { createTokenBuckets, rateLimitError } from '@sluice/service-kit';

/**
 * What calls without a good signature may cost, per source and network. They use up nothing of the organization: a stranger who
 * knows the URL must not make the calls of the real sender be refused.
 */
export interface UnverifiedBudget {
  /**
   * Throws HttpError 429 when the network has called this source too often without being verified.
   * @param network computed only while anybody owes something
   */
  assertLeft(source: string, network: () => string): void;
  /** Whether the network was refused at this source lately. */
  owes(source: string, network: () => string): boolean;
  /** Counts a call that was not verified. */
  spend(source: string, network: string, bytes: number): void;
}

/** Units per second, and how many seconds of them may be used at once. */
const [perSecond, seconds] = [20, 5];
const maxKeys = 50_000;
/** Bytes that cost as much as a call: reading and hashing them takes a millisecond. */
const bytesOfUnit = 500_000;

/** @param scale SLUICE_RATE_LIMIT_SCALE; 0 turns the budget off */
export function createUnverifiedBudget(scale: number, monotonicNow: MonotonicClock): UnverifiedBudget {
  if (scale === 0) return { assertLeft: () => undefined, owes: () => false, spend: () => undefined };
  const capacity = Math.max(1, perSecond * seconds * scale);
  const buckets = createTokenBuckets({ capacity, perSecond: perSecond * scale, maxKeys, monotonicNow });
  const keyOf = (source: string, network: string): string => `${source} ${network}`;
  return {
    assertLeft: (source, network) => {
      if (buckets.size() === 0) return;
      const key = keyOf(source, network());
      if (buckets.left(key) < 1)
        throw rateLimitError({ limit: Math.max(1, Math.round(perSecond * scale)), remaining: 0, resetMs: buckets.waitMs(key) });
    },
    owes: (source, network) => buckets.size() > 0 && !buckets.isFull(keyOf(source, network())),
    spend: (source, network, bytes) => buckets.take(keyOf(source, network), 1 + bytes / bytesOfUnit),
  };
}
