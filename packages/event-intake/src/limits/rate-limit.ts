import { type ConnectorChange, eventRequestsPerSecond } from '@sluice/contracts';
import type { KeyValue } from '@sluice/ports';
import { scaledLimit } from '@sluice/service-kit';
import type { RateExceeded } from '../intake-refusal';

const windowMs = 1_000;

/** Counts one request of an organization; undefined when it has no limit, null when it is within it. */
export type RateLimit = (connector: ConnectorChange) => Promise<RateExceeded | null> | undefined;

/**
 * A sliding second over all instances (docs/reference/accounts-and-plans.md, Rates).
 * @param scale SLUICE_RATE_LIMIT_SCALE; 0 turns the limit off
 */
export function createRateLimit(limits: Pick<KeyValue, 'slideWindow'>, scale: number): RateLimit {
  const count = async (id: string, limit: number): Promise<RateExceeded | null> => {
    const { allowed, remaining, resetMs } = await limits.slideWindow(`event-rate:${id}`, { limit, windowMs });
    return allowed ? null : { why: 'rate', limit, remaining, resetMs };
  };
  return ({ organization_id: id, organization }) => {
    const limit = scaledLimit(eventRequestsPerSecond[organization.tier], scale);
    return limit === null ? undefined : count(id, limit);
  };
}
