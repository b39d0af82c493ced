import type { FailureCode } from '@sluice/flow-engine';
import type { HeldReason } from '@sluice/ports';

/**
 * Failures that are not about the event itself: they use up no attempt. The waits for an identity are bounded by the age at which
 * a claim is abandoned (ADR 0007); retries that are shorter than the CRM's search lag would end the event before it.
 */
export const uncountedFailures: ReadonlyMap<FailureCode, HeldReason> = new Map([
  ['portal_dry', 'portal_dry'], ['blob_unavailable', 'blob_unavailable'], ['write_cap_reached', 'write_cap'],
  ['plugin_busy', 'retry'], ['plugin_unavailable', 'retry'],
  ['target_closed', 'retry'],
  ['identity_claim_renewed', 'retry'], ['identity_unresolved', 'retry'], ['identity_claimed', 'retry'],
]);

/** Whether a failure uses up no attempt. */
export const isUncounted = (code: FailureCode): boolean => uncountedFailures.has(code);
