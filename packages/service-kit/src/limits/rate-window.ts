import type { KeyValue } from '@sluice/ports';
import { rateLimitError } from '../http/errors/rate-limit-error';

export interface RateWindow {
  limit: number;
  windowMs: number;
}

/** A limit under SLUICE_RATE_LIMIT_SCALE, at least 1. null: limits are turned off. */
export function scaledLimit(limit: number, scale: number): number | null {
  return scale === 0 ? null : Math.max(1, Math.round(limit * scale));
}

/**
 * Counts one request in a key's sliding window, over all instances.
 * @throws HttpError 429 when the window is full
 */
export async function countInWindow(
  limits: Pick<KeyValue, 'slideWindow'>,
  key: string,
  { limit, windowMs }: RateWindow,
): Promise<void> {
  const { allowed, remaining, resetMs } = await limits.slideWindow(key, { limit, windowMs });
  if (!allowed) throw rateLimitError({ limit, remaining, resetMs, retryAfterMs: Math.min(resetMs, windowMs) });
}
