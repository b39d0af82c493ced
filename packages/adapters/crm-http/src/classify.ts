import { type CallFailure, type CrmErrorBody, type FailureCode, uniqueValueHolder } from '@sluice/ports';

/** How long to wait when the CRM names a policy instead of a time. */
const policyWaitMs: Record<string, number> = { TEN_SECONDLY_ROLLING: 10_000, SECONDLY: 1_000, DAILY: 900_000 };

/** 423: locks last two seconds. */
const lockedWaitMs = 2_000;

/**
 * Turns a non-2xx answer of the CRM into a failure for the flow: transient 5xx, 408, 425, 429, 423 (locked) and 477 (migrating),
 * fatal 401 and 403, permanent the other 4xx.
 */
export function classifyAnswer(status: number, body: CrmErrorBody | undefined, retryAfter: number | undefined): CallFailure {
  const message = body?.message ?? `the CRM answered ${status}`;
  const failure = (kind: CallFailure['kind'], code: FailureCode, wait?: number): CallFailure => ({
    ok: false, kind, code, message, ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
  if (status === 401) return failure('fatal', 'crm_unauthorized');
  if (status === 403) return failure('fatal', 'crm_forbidden');
  if (status === 429)
    return failure('transient', 'crm_rate_limited', retryAfter ?? policyWaitMs[body?.policyName ?? ''] ?? 1_000);
  if (status === 423) return failure('transient', 'crm_locked', retryAfter ?? lockedWaitMs);
  if (status === 477) return failure('transient', 'crm_migrating', retryAfter);
  if (status >= 500 || status === 408 || status === 425) return failure('transient', 'crm_unavailable', retryAfter);
  if (status === 404) return failure('permanent', 'crm_not_found');
  const holderId = status === 409 || status === 400 ? uniqueValueHolder(message) : undefined;
  if (holderId !== undefined) return { ...failure('permanent', 'crm_value_taken'), holderId };
  return failure('permanent', status === 409 ? 'crm_conflict' : 'crm_rejected');
}
