import { apiError, type HttpError } from './http-error';

/** 429 `Rate limit exceeded for org` with its headers (docs/reference/accounts-and-plans.md, Rates). */
export function rateLimitError({ limit, remaining, resetMs }: { limit: number; remaining: number; resetMs: number }): HttpError {
  return apiError('Rate limit exceeded for org', {}, {
    'Retry-After': '1', 'X-RateLimit-Limit': String(limit), 'X-RateLimit-Remaining': String(Math.max(0, remaining)),
    'X-RateLimit-Reset': String(Math.ceil(resetMs / 1000)),
  });
}
