import type { ActionPorts } from '@sluice/actions';
import type { CompiledFlow, StepReport } from '@sluice/flow-engine';
import type { BulkStep, BulkSteps } from '@sluice/ports';

/**
 * The bulk steps of an attempt with the results of their items.
 * @param before the results of earlier attempts, used for a step that this attempt did not reach
 */
export function bulkStepsOf(
  flow: CompiledFlow<ActionPorts>,
  reports: readonly StepReport[],
  before: BulkSteps | null,
): BulkSteps {
  const steps: Record<string, BulkStep> = { ...withItems(before) };
  for (const { id, action, items } of reports)
    if (items) steps[id] = { place: flow.steps.findIndex((one) => one.id === id), action, items };
  return steps;
}

/** Those that have items. */
export const withItems = (steps: BulkSteps | null): BulkSteps =>
  Object.fromEntries(Object.entries(steps ?? {}).filter(([, { items }]) => items.length > 0));
