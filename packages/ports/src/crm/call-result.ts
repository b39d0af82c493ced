import type { CallFailure } from '@sluice/contracts';

export type { CallFailure, ErrorKind, FailureCode, OutcomeReason, PropertyValue, RecordTarget } from '@sluice/contracts';

export interface CallSuccess<T> {
  ok: true;
  value: T;
}

/** The answer of a call. Expected failures are values; throwing is a bug. */
export type CallResult<T> = CallSuccess<T> | CallFailure;
