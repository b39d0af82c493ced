import { flowText, type RecordReason } from '@sluice/contracts/outcome-reason';
import type { FailureCode, StepFailure } from '@sluice/contracts/step-failure';
import type { StepItem } from '@sluice/contracts/step-item';

export { recordReason, type OutcomeReason, type RecordReason } from '@sluice/contracts/outcome-reason';
export type { FailureCode, StepFailure } from '@sluice/contracts/step-failure';
export type { StepItem } from '@sluice/contracts/step-item';

/** Output of a step: always an object, addressed `$<step_id>.<field>`. */
export type StepOutput = Record<string, unknown>;

/**
 * The outcome of a step. `wrote`: a part of it was written outside, also when another part failed. `canonical` becomes
 * `$.canonical`. `items`: of a bulk step, each with an outcome of its own.
 */
export type Outcome =
  | { kind: 'done'; output: StepOutput; wrote: boolean; canonical?: unknown; items?: readonly StepItem[] }
  | { kind: 'skip'; reason: RecordReason }
  | { kind: 'retry'; failure: StepFailure; wrote?: boolean; output?: StepOutput; items?: readonly StepItem[] }
  | { kind: 'fail'; failure: StepFailure; wrote?: boolean; output?: StepOutput; items?: readonly StepItem[] };

type Done = Extract<Outcome, { kind: 'done' }>;

/** The step succeeded. `wrote` only when something was written outside (not for an unneeded write). */
export function done(output: StepOutput, facts: Partial<Pick<Done, 'wrote' | 'canonical' | 'items'>> = {}): Outcome {
  return {
    kind: 'done',
    output,
    wrote: facts.wrote ?? false,
    canonical: facts.canonical,
    items: facts.items,
  };
}

/** The flow halts here; its record is skipped with this text. */
export function skip(reason: string): Outcome {
  return { kind: 'skip', reason: flowText(reason) };
}

/** A failure as an outcome: transient ones are retried, the others are not. `landed`: what was done before it. */
export function failed(failure: StepFailure, landed?: Pick<Done, 'output' | 'wrote' | 'items'>): Outcome {
  const kind = failure.kind === 'transient' ? 'retry' : 'fail';
  return { kind, failure, ...landed };
}

/** A permanent failure. */
export function permanent(code: FailureCode, message: string): Outcome {
  return failed({ kind: 'permanent', code, message });
}
