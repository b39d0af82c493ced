import type { CallResult } from './call-result';

/** Whose portal a call acts on. The token is a secret: adapters never log it. */
export interface CrmAccess {
  portalId: string;
  accessToken: string;
}

/** The rate limit that an answer of the CRM announced (docs/reference/crm-api.md, Rate limits). */
export interface CrmRate {
  max: number;
  remaining: number;
  intervalMs: number;
}

export interface CrmErrorBody {
  category?: string;
  subCategory?: string;
  message?: string;
  correlationId?: string;
  policyName?: string;
  context?: Record<string, string[]>;
  errors?: { message?: string; code?: string; context?: Record<string, string[]> }[];
}

/**
 * A CallResult with the HTTP status (0: no answer that can be read); a failure also carries the CRM's own words, without secrets.
 */
export type CrmResult<T> = CallResult<T> & { status: number; rate?: CrmRate; body?: CrmErrorBody };

export interface CallOptions {
  signal?: AbortSignal;
  /** Milliseconds; the caller chooses it so that the call ends inside its lease (docs/architecture.md, Who owns a partition). */
  timeoutMs: number;
  headers?: Record<string, string>;
}
