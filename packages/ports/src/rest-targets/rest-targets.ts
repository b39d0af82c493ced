import type { CallFailure, PropertyValue } from '@sluice/contracts';
import type { WallClock } from '../clock';
import { retryAfterMs } from './retry-after';

/** A request of a step to a destination. */
export interface TargetRequest {
  /** Name of a source of type rest; null: `url` is the whole URL, and no credential is sent with it. */
  target: string | null;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With a target the path below its `base_url`. */
  url: string;
  /** Headers of the step. They replace `default_headers` and are replaced by secret headers. */
  headers: Readonly<Record<string, string>>;
  /** Sent as JSON; a text with another content type is sent unchanged. Undefined: no body. */
  body?: unknown;
  /** The CRM record whose values it carries, to recognize them when they come back. */
  carries?: CarriedRecord;
  /** Names the step: a repeated request for the same event and step has the same `Idempotency-Key`. */
  stepId: string;
  /** Timeout in milliseconds, if it is shorter than that of the runner. */
  timeoutMs?: number;
  /** Only the status of the answer matters: a body over the limit is not read and is no failure. */
  statusOnly?: true;
  /** `statusOnly`, and nothing waits for it: it does not wait for a slot, and the lane does not wait when it gets no answer. */
  bestEffort?: true;
}

/** The values of a record that a request is made of, as the CRM has them. */
export interface CarriedRecord {
  objectType: string;
  crmId: string;
  properties: Readonly<Record<string, PropertyValue>>;
  /** Those of them that the event changed; absent: it does not say. */
  changed?: readonly string[];
}

/** An answer below 300. No secret of the request is in it. */
export interface TargetAnswer {
  status: number;
  /** Lower-case names; without cookies. */
  headers: Record<string, string>;
  /** The parsed JSON, else the text; null without a body. */
  body: unknown;
}

/** `status`: that of the answer; absent: there was none. */
export interface TargetFailure extends CallFailure {
  status?: number;
}

export type TargetResult = { ok: true; value: TargetAnswer } | TargetFailure;

/** The REST destinations of one flow run. Expected failures are values; no message of theirs carries a secret. */
export interface RestTargets {
  send(request: TargetRequest): Promise<TargetResult>;
  /** Whether the CRM has newer values by now, which another event brings. Absent: no portal is bound. */
  isOutdated?(record: CarriedRecord): Promise<boolean>;
  now: WallClock;
}

/**
 * What a status of 300 or more means to a step: 401 and 403 are fatal; 5xx, 408, 425 and 429 are transient; the rest is
 * permanent. Redirects are not followed: what they lead to is not what the author named.
 * @param about what the message says behind the status
 */
export function targetFailure(
  status: number,
  headers: Readonly<Record<string, string>>,
  about: string,
  now: number,
): TargetFailure {
  const failure = (kind: CallFailure['kind'], code: CallFailure['code'], message: string): TargetFailure => ({
    ok: false,
    kind,
    code,
    message,
    status,
  });
  const message = `the destination answered ${status}${about}`;
  if (status < 400) return failure('permanent', 'target_redirected', `${message}: redirects are not followed`);
  if (status === 401 || status === 403) return failure('fatal', 'target_unauthorized', message);
  if (status < 500 && ![408, 425, 429].includes(status)) return failure('permanent', 'target_rejected', message);
  const wait = status === 429 || status === 503 ? retryAfterMs(headers['retry-after'], now) : undefined;
  return { ...failure('transient', 'target_unavailable', message), ...(wait !== undefined && { retryAfterMs: wait }) };
}
