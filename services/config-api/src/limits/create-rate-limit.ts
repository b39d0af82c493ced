import { countInWindow, scaledLimit } from '@sluice/service-kit';
import type { LimitStore } from '@sluice/service-parts';

/** Requests of the config plane per second and organization (docs/reference/accounts-and-plans.md, Rates). */
export const ratePerSecond = 50;
const windowMs = 1_000;

/** Counts one request; throws HttpError 429 when the organization is over its rate. */
export type RateLimit = (organizationId: string) => Promise<void>;

/**
 * A sliding window shared by all instances.
 * @param scale SLUICE_RATE_LIMIT_SCALE; 0 turns the limit off
 */
export function createRateLimit(limits: Pick<LimitStore, 'slideWindow'>, scale: number): RateLimit {
  const limit = scaledLimit(ratePerSecond, scale);
  if (limit === null) return async () => undefined;
  return (organizationId) => countInWindow(limits, `config-rate:${organizationId}`, { limit, windowMs });
}
