import { type KeyValue, KeyValueUnavailable, type Logger } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';

/** Requests of the config plane per second and organization (decisions 1). */
const perSecond = 50;
const windowMs = 1_000;

/** Counts one request; throws HttpError 429 when the organization is over its rate. */
export type RateLimit = (organizationId: string) => Promise<void>;

interface Verdict {
  allowed: boolean;
  remaining: number;
  resetMs: number;
}

/**
 * A sliding window shared by all instances; counted here alone while the key-value store is away.
 * @param scale SLUICE_RATE_LIMIT_SCALE; 0 turns the limit off
 */
export function createRateLimit(kv: KeyValue, scale: number, logger: Logger): RateLimit {
  if (scale === 0) return async () => undefined;
  const limit = Math.max(1, Math.round(perSecond * scale));
  const local = localWindow(limit);
  return async (organizationId) => {
    const verdict = await kv.slideWindow(`config-rate:${organizationId}`, { limit, windowMs }).catch((error: unknown) => {
      if (!(error instanceof KeyValueUnavailable)) throw error;
      logger.debug('rate limit counted locally', { error });
      return local(organizationId);
    });
    if (verdict.allowed) return;
    throw apiError('Rate limit exceeded for org', {}, {
      'Retry-After': '1', 'X-RateLimit-Limit': String(limit), 'X-RateLimit-Remaining': String(Math.max(0, verdict.remaining)),
      'X-RateLimit-Reset': String(Math.ceil(verdict.resetMs / 1000)),
    });
  };
}

/** Fixed windows of one second; forgets everything with each new one, so it stays small. */
function localWindow(limit: number): (key: string) => Verdict {
  let counts = new Map<string, number>();
  let window = 0;
  return (key) => {
    const now = Date.now();
    if (Math.floor(now / windowMs) !== window) [window, counts] = [Math.floor(now / windowMs), new Map()];
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return { allowed: count <= limit, remaining: limit - count, resetMs: windowMs - (now % windowMs) };
  };
}
