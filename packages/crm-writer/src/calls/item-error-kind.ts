import type { CrmItemError, ErrorKind } from '@sluice/ports';

/** Transient error entries of a 207: the CRM was too busy or failed, and the input is not wrong. */
const passing = new Set(['RATE_LIMITS', 'INTERNAL_ERROR', 'TIMEOUT']);

/** Whether an entry of a batch answer's `errors` is transient or permanent. */
export function itemErrorKind(error: CrmItemError): Extract<ErrorKind, 'transient' | 'permanent'> {
  return passing.has(error.category) ? 'transient' : 'permanent';
}
