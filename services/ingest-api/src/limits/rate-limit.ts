import type { ConnectorChange } from '@sluice/contracts';
import { type KeyValue, KeyValueUnavailable } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import { rateOf } from './tier-limits';

const windowMs = 1_000;

/** Counts one request of an organization; undefined when it has no limit. Rejects with HttpError 429 when it is over it. */
export type RateLimit = (connector: ConnectorChange) => Promise<void> | undefined;

interface Verdict {
  allowed: boolean;
  remaining: number;
  resetMs: number;
}

/** A sliding second over all instances; counted here alone while the key-value store is away (DESIGN 4). */
export function createRateLimit(kv: Pick<KeyValue, 'slideWindow'>, scale: number, now: () => number): RateLimit {
  const local = createLocalWindow(now);
  return (connector) => {
    const limit = rateOf(connector.organization, scale);
    return limit === null ? undefined : check(connector.organization_id, limit);
  };

  async function check(organizationId: string, limit: number): Promise<void> {
    const { allowed, remaining, resetMs } = await kv.slideWindow(`event-rate:${organizationId}`, { limit, windowMs }).catch((error: unknown) => {
      if (!(error instanceof KeyValueUnavailable)) throw error;
      return local(organizationId, limit);
    });
    if (allowed) return;
    throw apiError('Rate limit exceeded for org', {}, {
      'Retry-After': '1', 'X-RateLimit-Limit': String(limit), 'X-RateLimit-Remaining': String(Math.max(0, remaining)),
      'X-RateLimit-Reset': String(Math.ceil(resetMs / 1000)),
    });
  }
}

/** The same window in this process. Idle organizations are forgotten. */
export function createLocalWindow(now: () => number): (key: string, limit: number) => Verdict {
  const windows = new Map<string, number[]>();
  let swept = 0;
  return (key, limit) => {
    const time = now();
    if (time - swept > 60_000) {
      swept = time;
      for (const [name, times] of windows) if ((times.at(-1) ?? 0) <= time - windowMs) windows.delete(name);
    }
    const recent = (windows.get(key) ?? []).filter((at) => at > time - windowMs);
    const allowed = recent.length < limit;
    if (allowed) recent.push(time);
    windows.set(key, recent);
    return { allowed, remaining: limit - recent.length, resetMs: (recent[0] ?? time) + windowMs - time };
  };
}
