/**
 * Times of identity claims, milliseconds (ADR 0007). They depend on each other: who makes a writer derives and checks them
 * (flow-runner: `src/timing.ts`).
 */
export interface ClaimTimes {
  /** How late the CRM's search index may be (SLUICE_SEARCH_LAG). */
  searchLagMs: number;
  /** How long after its claim a create may still be sent. Later it is claimed anew. */
  sendWithinMs: number;
  /** The latest that a create can land after its claim: it is sent in time, and then lands as late as any write. */
  landsWithinMs: number;
  /**
   * From this age on another event may take a claim over. A second create is always claimed anew before it is sent (code
   * `identity_claim_renewed`). So no create of so old a claim can still land, and the search shows all that did.
   */
  abandonedAfterMs: number;
}
