/** Number of attempts and the waits between them (docs/reference/events.md, Failures and attempts). All times in milliseconds. */
export interface RetryPolicy {
  /** Attempts of an event, the first included. Fatal ones do not count. */
  attempts: number;
  /** Wait after the n-th try; the last one repeats. */
  waitsMs: readonly number[];
  /** The longest wait; only a target's Retry-After may be longer. */
  ceilingMs: number;
  /** An event unprocessed this long after it was accepted expires. */
  ttlMs: number;
}

/**
 * Wait before the next try.
 * @param tries how many tries were made, >= 1
 * @param retryAfterMs what the target asked for
 */
export function waitMs(policy: RetryPolicy, tries: number, retryAfterMs: number | undefined): number {
  const own = Math.min(policy.waitsMs[Math.min(tries, policy.waitsMs.length) - 1] ?? 0, policy.ceilingMs);
  return Math.min(Math.max(own, retryAfterMs ?? 0), policy.ttlMs);
}
