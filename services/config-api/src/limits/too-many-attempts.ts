import { apiError } from '@sluice/service-kit';
import { retryAfter } from './retry-after';

/** 429 for an attempt that may be made again after a wait. */
export function tooManyAttempts(waitMs: number): Error {
  return apiError('too_many_attempts', {}, retryAfter(waitMs));
}
