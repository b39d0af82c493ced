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
  const steps: Record<string, BulkStep> = { ...before };
  for (const { id, action, items } of reports)
    if (items) steps[id] = { place: flow.steps.findIndex((one) => one.id === id), action, items };
  return steps;
}

/** The items that ended, which the next attempt must know. null: there are none. */
export function endedItems(steps: BulkSteps): BulkSteps | null {
  const ended = Object.entries(steps).flatMap(([id, step]) => {
    const items = step.items.filter(({ status }) => status !== 'open');
    return items.length > 0 ? [[id, { ...step, items }] as const] : [];
  });
  return ended.length > 0 ? Object.fromEntries(ended) : null;
}

/** How many items ended. */
export const countEnded = (steps: BulkSteps | null): number =>
  Object.values(steps ?? {}).reduce((sum, { items }) => sum + items.length, 0);
