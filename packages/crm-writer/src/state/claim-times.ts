/**
 * Times of identity claims, milliseconds (ADR 0007). They depend on each other: the flow-runner derives and checks them
 * (`src/timing.ts`).
 */
export interface ClaimTimes {
  /** How late the CRM's search index may be (SLUICE_SEARCH_LAG). */
  searchLagMs: number;
  /** How long after its claim a create may still be sent. Later it is claimed anew. */
  sendWithinMs: number;
  /** How long after its claim a create can still take effect: it is sent in time, and then may be as late as any write. */
  landsWithinMs: number;
  /**
   * From this age on another event may take over a claim. Before a second create is sent, the identity is always claimed again
   * (code `identity_claim_renewed`). So no create under a claim of this age can still take effect, and the search shows those
   * that did.
   */
  abandonedAfterMs: number;
}
