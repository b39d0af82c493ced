import type { CallFailure, FailureCode } from '@sluice/contracts';

/** A failure of a call as a value. */
export const callFailure = (
  kind: CallFailure['kind'], code: FailureCode, message: string, retryAfterMs?: number,
): CallFailure => ({ ok: false, kind, code, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
