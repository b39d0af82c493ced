import type { ConnectorChange } from '@sluice/contracts';
import { type IntakeRefusal, retryAfterSeconds } from '@sluice/event-intake';
import { type ErrorAnswer, HttpError, rateLimitError } from '@sluice/service-kit';

/** The body of an answer of the legacy-compatible ingress that is no success. */
export interface CompatErrorBody {
  result: 'error' | 'service_unavailable';
  message: string;
  callId?: string;
}

/** An error answer of the legacy-compatible ingress, to the letter of the service that it replaces. */
export const compatError = (status: number, message: string, headers: Record<string, string> = {}): HttpError =>
  new HttpError(status, { result: 'error', message } satisfies CompatErrorBody, headers);

/** @param callId of a call that was stored: a resend queues what is missing of it */
export const compatUnavailable = (message: string, callId?: string): HttpError =>
  new HttpError(503, {
    result: 'service_unavailable', message, ...(callId !== undefined && { callId }),
  } satisfies CompatErrorBody, {
    'Retry-After': '5',
  });

/** Any error as the legacy-compatible ingress answers it. */
export function compatErrorBody({ body: { detail }, status }: ErrorAnswer): CompatErrorBody {
  if (isOwn(detail)) return detail;
  return { result: status === 503 ? 'service_unavailable' : 'error', message: messageOf(detail) };
}

const isOwn = (detail: unknown): detail is CompatErrorBody => typeof detail === 'object' && detail !== null && 'result' in detail;

function messageOf(detail: unknown): string {
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) return (detail as { msg: string }[]).map(({ msg }) => msg).join('; ');
  const { error, limit_bytes: limit } = detail as { error?: string; limit_bytes?: number };
  return error === 'payload_too_large' ? `The body is larger than ${limit} bytes` : String(error);
}

/** @param callId of a call that was stored before it was refused */
export function compatRefusal(
  refusal: IntakeRefusal, { organization }: ConnectorChange, now: number, callId?: string,
): HttpError {
  switch (refusal.why) {
    case 'stopped': {
      if (refusal.reason !== 'organization_stopped') return compatError(423, 'Connector is paused, ingestion is blocked');
      return compatError(423, organization.state === 'suspended' ? 'org_suspended' : 'org_closing');
    }
    case 'rate': {
      const { headers } = rateLimitError(refusal);
      return compatError(429, 'Rate limit exceeded for org', { ...headers });
    }
    case 'quota': {
      const seconds = Math.max(1, Math.ceil((Date.parse(refusal.resetsAt) - now) / 1_000));
      return compatError(429, 'Monthly event quota exceeded', { 'Retry-After': String(seconds) });
    }
    case 'breaker':
      return compatError(429, 'Every flow of the event is paused', { 'Retry-After': String(retryAfterSeconds(refusal)) });
    default:
      return compatUnavailable('Some events could not be queued', callId);
  }
}
