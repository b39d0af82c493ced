import type { PortalTrouble } from '@sluice/crm-writer';
import type { RunOutcome } from '@sluice/flow-engine';
import type { KeptSteps, RecordRow } from '@sluice/ports';
import { holdAgain } from './hold-again';
import { unitRows, type UnitFacts } from '../rows/item-rows';
import { untilLanded } from './late-write';
import type { RetryPolicy } from './retry-policy';
import type { Unit } from '../unit';
import { type RunFacts, type Verdict, verdictOf } from './verdict';

export type EndFacts = UnitFacts;

/** How an attempt ended. */
export type AttemptEnd =
  /** Its flow ran. `trouble`: why the unit's portal is closed now; null while it is open. `wrote`: this attempt wrote. */
  | { kind: 'ran'; outcome: RunOutcome; facts: RunFacts; trouble: PortalTrouble | null; wrote: boolean }
  /** It ended without a run. `counts`: whether it counts as an attempt. */
  | { kind: 'not_run'; facts: EndFacts; counts: boolean }
  /** The store was away before it ended: what it had done by then is kept, and it runs again. It counts as no attempt. */
  | { kind: 'interrupted'; flowName: string; kept: KeptSteps; binding: number | null }
  /** It had ended before, and waited until a late write could not take effect any more. */
  | { kind: 'waited'; rows: RecordRow[] };

/** Turns the end of an attempt into the rows of its unit, or a hold. */
export function judgeAttempt(unit: Unit, end: AttemptEnd, policy: RetryPolicy, now: number): Verdict {
  return untilLanded(unit, verdictOfEnd(unit, end, policy, now), flowNameOfEnd(unit, end), now);
}

/** The flow of an attempt. */
export function flowNameOfEnd({ held }: Unit, end: AttemptEnd): string | null {
  if (end.kind === 'interrupted') return end.flowName;
  return end.kind === 'waited' ? (held?.flowName ?? null) : end.facts.flowName;
}

function verdictOfEnd(unit: Unit, end: AttemptEnd, policy: RetryPolicy, now: number): Verdict {
  switch (end.kind) {
    case 'ran':
      return verdictOf(unit, end.outcome, end.facts, policy, now, end.trouble);
    case 'not_run': {
      const attempts = (unit.held?.attempts ?? 0) + (end.counts ? 1 : 0);
      return { kind: 'rows', rows: unitRows(unit, attempts, new Date(now), end.facts) };
    }
    case 'interrupted':
      return { kind: 'hold', held: holdAgain(unit, { ...end, keptSteps: end.kept }, now) };
    case 'waited':
      return { kind: 'rows', rows: end.rows };
  }
}
