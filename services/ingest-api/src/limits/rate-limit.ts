import { type ConnectorChange, eventRequestsPerSecond } from '@sluice/contracts';
import { countInWindow, type LimitStore, scaledLimit } from '@sluice/service-parts';

const windowMs = 1_000;

/** Counts one request of an organization; undefined when it has no limit. Rejects with HttpError 429 when it is over it. */
export type RateLimit = (connector: ConnectorChange) => Promise<void> | undefined;

/**
 * A sliding second over all instances.
 * @param scale SLUICE_RATE_LIMIT_SCALE; 0 turns the limit off
 */
export function createRateLimit(limits: Pick<LimitStore, 'slideWindow'>, scale: number): RateLimit {
  return ({ organization_id: id, organization }) => {
    const limit = scaledLimit(eventRequestsPerSecond[organization.tier], scale);
    return limit === null ? undefined : countInWindow(limits, `event-rate:${id}`, { limit, windowMs });
  };
}
