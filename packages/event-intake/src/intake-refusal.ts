import type { StoppedReason } from '@sluice/connector-feed';
import type { BreakerReason } from '@sluice/ports';

/** The requests per second of an organization are used up. */
export interface RateExceeded {
  why: 'rate';
  limit: number;
  remaining: number;
  /** Milliseconds until requests are left again. */
  resetMs: number;
}

/** The events of the month are used up. */
export interface QuotaExceeded {
  why: 'quota';
  used: number;
  /** ISO 8601. */
  resetsAt: string;
}

/** Every flow that it reaches is stopped by its breaker. */
export interface BreakerOpen {
  why: 'breaker';
  flows: { name: string; reason: BreakerReason; detail: string | null; retryAfterMs: number }[];
}

/**
 * Why nothing was taken in. `blobs_unavailable`: a large payload cannot be stored now; `unavailable`: nothing is in the log;
 * `unknown`: it may be in the log, so the same event must be sent again under the same id.
 */
export type IntakeRefusal =
  | { why: 'stopped'; reason: StoppedReason }
  | RateExceeded
  | QuotaExceeded
  | BreakerOpen
  | { why: 'blobs_unavailable' }
  | { why: 'unavailable' }
  | { why: 'unknown' };
