import type { CrmItemError, ErrorKind } from '@sluice/ports';

/** Error entries of a 207 that pass by themselves: the CRM was too busy or failed, and nothing is wrong with the input. */
const passing = new Set(['RATE_LIMITS', 'INTERNAL_ERROR', 'TIMEOUT']);

/** How an entry of a batch answer's `errors` is treated: waited out, or given up. */
export function itemErrorKind(error: CrmItemError): Extract<ErrorKind, 'transient' | 'permanent'> {
  return passing.has(error.category) ? 'transient' : 'permanent';
}
