import { type FailureCode, isUncounted, type UncountedCode } from '@sluice/contracts/step-failure';
import type { HeldReason } from '@sluice/ports';

/** Why an event is held after a failure that uses up no attempt. */
const heldReasons: Readonly<Record<UncountedCode, HeldReason>> = {
  portal_dry: 'portal_dry', blob_unavailable: 'blob_unavailable', write_cap_reached: 'write_cap',
  plugin_busy: 'retry', plugin_unavailable: 'retry',
  target_closed: 'retry',
  identity_claim_renewed: 'retry', identity_unresolved: 'retry', identity_claimed: 'retry',
};

/** Why an event is held after this failure; undefined where the failure uses up an attempt. */
export const uncountedReason = (code: FailureCode): HeldReason | undefined => (isUncounted(code) ? heldReasons[code] : undefined);
