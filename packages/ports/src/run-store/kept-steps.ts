import type { StepItem } from '@sluice/contracts';

/** The results of the list of a bulk step. */
export interface BulkStep {
  /** The step's index in its flow: items are listed in the order of steps and lists. */
  place: number;
  action: string;
  items: readonly StepItem[];
}

/** Bulk steps by their id. */
export type BulkSteps = Readonly<Record<string, BulkStep>>;

/**
 * What the attempts of an event that waits left of a step (docs/reference/events.md, Failures and attempts). Plain JSON: it is
 * stored with the event. It counts only for a step and a portal binding that are the same in the next attempt.
 */
export interface KeptStep extends BulkStep {
  /** What the step worked on, and the step as authored (`StepSignature` of flow-engine). */
  about: string;
  authored: string;
  /** The binding epoch under which it ran; null: it does not depend on the portal. */
  epoch: number | null;
  /** A part of it was written outside. */
  wrote: boolean;
  /** The output of the step; null: it had none, or it was too large to be kept. */
  output: Record<string, unknown> | null;
  /** The step failed after a part of it took effect: `output` is of that part. Absent: the step ended. */
  partial?: true;
  /**
   * When the attempt began whose write got no answer first and may have taken effect; milliseconds since the epoch, by the
   * store's clock. Absent: each write got an answer.
   */
  unansweredSince?: number;
}

/** Kept steps by their id. */
export type KeptSteps = Readonly<Record<string, KeptStep>>;
