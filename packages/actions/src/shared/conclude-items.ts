import { isUncounted } from '@sluice/contracts/step-failure';
import { done, failed, type Outcome, type StepFailure, type StepItem, type StepOutput } from '@sluice/flow-engine';

/** The outcome for a missing or empty list: nothing to do. */
export const noItems = 'no_items';

/** How many items ended how. */
export function countItems(items: readonly StepItem[]): { succeeded: number; failed: number; skipped: number } {
  const count = (status: StepItem['status']): number => items.filter((item) => item.status === status).length;
  return { succeeded: count('succeeded'), failed: count('failed'), skipped: count('skipped') };
}

/**
 * The outcome of a bulk step. While items are open, the step is tried again for them. A step with some permanently failed items
 * is done, and later steps run; a step has failed only when all its items failed.
 */
export function concludeItems(items: readonly StepItem[], output: StepOutput): Outcome {
  const { succeeded } = countItems(items);
  const landed = { output, wrote: succeeded > 0, items };
  if (items.length === 0) return done({ ...output, reason: noItems });
  const open = items.filter(({ status }) => status === 'open');
  const lost = items.filter(({ status }) => status === 'failed');
  if (open.length > 0) return failed(worstOf(open), landed);
  if (lost.length === items.length) return failed(lost[0]!.failure!, landed);
  return done(output, landed);
}

/**
 * The failure that decides about the next attempt: one that concerns all items first, one that lets other events pass last.
 * Before a failure that uses up no attempt comes one that does: else an item could be tried more often than an event may be.
 */
function worstOf(open: readonly StepItem[]): StepFailure {
  const failures = open.flatMap(({ failure }) => failure ?? []);
  const worst = failures.reduce<StepFailure | null>((one, other) => (one && rankOf(one) >= rankOf(other) ? one : other), null);
  // At least one of the open items was tried; the others wait behind it.
  if (!worst) throw new Error('an item is open and none of them failed');
  const alike = failures.filter(({ kind, stepsAside }) => kind === worst.kind && !stepsAside === !worst.stepsAside);
  const longest = alike.reduce((wait, { retryAfterMs = 0 }) => Math.max(wait, retryAfterMs), 0);
  return longest > 0 ? { ...worst, retryAfterMs: longest } : worst;
}

function rankOf({ kind, code, stepsAside }: StepFailure): number {
  if (code === 'lease_lost') return 4;
  if (kind === 'fatal') return 3;
  if (stepsAside) return 0;
  return isUncounted(code) ? 1 : 2;
}
