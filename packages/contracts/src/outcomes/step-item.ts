// In a file of its own, so that the pure packages can import it without the types of Node.
import type { OutcomeReason } from './outcome-reason';
import type { StepFailure } from './step-failure';

/** One element of a bulk step's list and what became of it. Plain JSON: it is kept with an event that waits. */
export interface StepItem {
  /** Its place in the list, from 0. */
  index: number;
  /** What it is about. In a later attempt it is the same item when place and key are the same. */
  key: string;
  entity: string;
  external_id: string | null;
  crm_id: string | null;
  /** `open`: it has not ended, another attempt may end it. */
  status: 'succeeded' | 'skipped' | 'failed' | 'open';
  /** Why it was skipped. */
  reason: OutcomeReason | null;
  /** Of a failed item, and of an open one that was tried. */
  failure: StepFailure | null;
}
