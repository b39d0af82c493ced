import type { ConnectorChange } from '@sluice/contracts';
import { rateLimitError } from '@sluice/service-kit';
import type { LimitStore } from '@sluice/service-parts';
import { rateOf } from './tier-limits';

const windowMs = 1_000;

/** Counts one request of an organization; undefined when it has no limit. Rejects with HttpError 429 when it is over it. */
export type RateLimit = (connector: ConnectorChange) => Promise<void> | undefined;

/** A sliding second over all instances. */
export function createRateLimit(limits: Pick<LimitStore, 'slideWindow'>, scale: number): RateLimit {
  return (connector) => {
    const limit = rateOf(connector.organization, scale);
    return limit === null ? undefined : check(connector.organization_id, limit);
  };

  async function check(organizationId: string, limit: number): Promise<void> {
    const { allowed, remaining, resetMs } = await limits.slideWindow(`event-rate:${organizationId}`, { limit, windowMs });
    if (!allowed) throw rateLimitError({ limit, remaining, resetMs });
  }
}
