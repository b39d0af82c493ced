import { apiError, type HttpError } from './http-error';

interface Exceeded {
  limit: number;
  remaining: number;
  resetMs: number;
  /** When to try again. Default: a second, as for every limit per second. */
  retryAfterMs?: number;
}

/** 429 `Rate limit exceeded for org` with its headers (docs/reference/accounts-and-plans.md, Rates). */
export function rateLimitError({ limit, remaining, resetMs, retryAfterMs = 1_000 }: Exceeded): HttpError {
  return apiError('Rate limit exceeded for org', {}, {
    'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))), 'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(Math.max(0, remaining)), 'X-RateLimit-Reset': String(Math.ceil(resetMs / 1000)),
  });
}
