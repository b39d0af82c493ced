import { noEffects } from '@sluice/crm-writer';
import type { RecordStatus } from '@sluice/ports';
import type { Attempt } from './attempt';
import { withItems } from './bulk-steps';
import { firstRecord } from './earlier-attempts';
import type { EndFacts } from '../verdicts/judge-attempt';
import type { Unit } from '../unit';

/** Ends that say that nothing was written, or that nothing can be said of it. */
const untouched: ReadonlySet<RecordStatus> = new Set(['skipped', 'dlq', 'failed']);

/**
 * The end of a unit whose flow does not run again. What its earlier attempts wrote is there: such a unit ends half done, and can
 * be replayed (docs/reference/events.md, Record outcomes).
 * @param counts whether it counts as an attempt
 * @param wrote whether an earlier attempt wrote
 */
export function notRun(unit: Unit, facts: EndFacts, { counts, wrote }: { counts: boolean; wrote: boolean }): Attempt {
  const kept = unit.held?.keptSteps ?? null;
  const half = wrote && untouched.has(facts.status) ? halfDone(facts) : {};
  const known = { bulk: withItems(kept), ...(wrote && firstRecord(kept)), ...facts, ...half };
  return { end: { kind: 'not_run', counts, facts: known }, effects: noEffects(), binding: null };
}

const whys: Partial<Record<string, string>> = {
  no_flow_matched: 'no published flow is subscribed to the event any more',
  flow_disabled: 'the flow was disabled',
};

function halfDone({ error, reason }: EndFacts): Pick<EndFacts, 'status' | 'error'> {
  const why = error ?? whys[reason ?? ''] ?? 'the flow did not run again';
  return { status: 'partial_success', error: `${why}; an earlier attempt had written` };
}
