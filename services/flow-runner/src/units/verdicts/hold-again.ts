import { haveWritten } from '@sluice/flow-run';
import type { HeldEvent, KeptSteps } from '@sluice/ports';
import { laneScope } from '@sluice/ports';
import type { Unit } from '../unit';
import { holdUnit, narrowScopeOf, type RunFacts } from './verdict';

/** How soon a unit runs again whose attempt does not count. */
const againMs = 500;

/** What an attempt that does not count leaves for the next one. */
export interface LeftOver {
  keptSteps: KeptSteps | null;
  flowName: string | null;
  /** The binding epoch in force; null: none, or none that is known. */
  binding: number | null;
}

/**
 * The hold of a unit that runs again although its attempt did not fail: what it has done must be known then, for example that a
 * receiver was told (ADR 0110).
 */
export function holdAgain(unit: Unit, { keptSteps, flowName, binding }: LeftOver, now: number): HeldEvent {
  return holdUnit(unit, {
    scope: narrowScopeOf(unit) ?? laneScope(unit.envelope.lane),
    reason: 'retry',
    dueAt: now + againMs,
    wrote: haveWritten(keptSteps, binding),
    keptSteps,
    flowName: flowName ?? unit.held?.flowName ?? null,
  });
}

/**
 * The hold of a unit whose outcome was refused because of its binding (ADR 0100): what it did outside of the portal counts.
 * @param ran the facts of its attempt; null: its flow did not run
 */
export function afterRebind(unit: Unit, ran: Pick<RunFacts, 'kept' | 'flowName'> | null, now: number): HeldEvent {
  const keptSteps = withoutPortal(ran?.kept?.() ?? unit.held?.keptSteps ?? null);
  return holdAgain(unit, { keptSteps, flowName: ran?.flowName ?? null, binding: null }, now);
}

/** What depends on no binding. */
function withoutPortal(kept: KeptSteps | null): KeptSteps | null {
  const steps = Object.entries(kept ?? {}).filter(([, { epoch }]) => epoch === null);
  return steps.length > 0 ? Object.fromEntries(steps) : null;
}
