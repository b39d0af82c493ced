import { RateGate, type RateGateOptions } from './rate-gate';

/** Who computes for a moment is not slowed, who computes for long waits so long at most: its load may have changed. */
const patience = { aheadMs: 5_000, longestMs: 30_000 };

/**
 * Bounds how long the functions of one organization compute while the service is busy. They have a low priority, but what they
 * compute with is missing all the same where the processors are full: two of a machine often share what they compute with.
 */
export class ComputeGate extends RateGate {
  /** @param options `perSecond`: milliseconds of processor time */
  constructor(options: RateGateOptions) {
    super(options, patience);
  }

  /** Functions of the organization have used a processor for so long, beyond what each invocation has free. */
  computed(organizationId: string, ms: number): void {
    this.used(organizationId, ms);
  }
}
