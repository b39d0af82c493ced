import type { HeldEvent, KeptSteps } from '@sluice/ports';
import { laneScope } from '@sluice/ports';
import type { Attempt } from './attempt-unit';
import type { Unit } from './unit';
import { holdUnit } from './verdict';

/** How soon a unit runs again whose connector was bound to another portal meanwhile. */
const againMs = 500;

/**
 * The hold of a unit whose outcome was refused because of its binding (ADR 0110). What it did outside of the portal counts for
 * the next attempt: a receiver is not told twice.
 */
export function afterRebind(unit: Unit, { end }: Pick<Attempt, 'end'>, now: number): HeldEvent {
  const kept = (end.kind === 'ran' ? end.facts.kept : undefined) ?? unit.held?.keptSteps ?? null;
  const keptSteps = withoutPortal(kept);
  return holdUnit(unit, {
    scope: unit.held?.scope ?? laneScope(unit.envelope.lane),
    reason: 'retry',
    dueAt: now + againMs,
    wrote: Object.values(keptSteps ?? {}).some(({ wrote }) => wrote),
    keptSteps,
    ...(end.kind === 'ran' && { flowName: end.facts.flowName }),
  });
}

/** What depends on no binding. */
function withoutPortal(kept: KeptSteps | null): KeptSteps | null {
  const steps = Object.entries(kept ?? {}).filter(([, { epoch }]) => epoch === null);
  return steps.length > 0 ? Object.fromEntries(steps) : null;
}
