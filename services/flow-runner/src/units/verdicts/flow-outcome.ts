import { isUncounted } from '@sluice/contracts/step-failure';
import type { FlowOutcome, FlowOutcomeKind } from '@sluice/ports';
import { type AttemptEnd, flowNameOfEnd } from './judge-attempt';
import type { Unit } from '../unit';
import type { Verdict } from './verdict';

type Ran = Extract<AttemptEnd, { kind: 'ran' }>;

/**
 * What an attempt means for the breaker of its flow (docs/reference/events.md, Flow breaker); null: nothing, because no
 * flow ran.
 */
export function flowOutcomeOf(unit: Unit, end: AttemptEnd, verdict: Exclude<Verdict, { kind: 'abandon' }>): FlowOutcome | null {
  const flowName = end.kind === 'waited' ? null : flowNameOfEnd(unit, end);
  if (flowName === null) return null;
  const kind = end.kind === 'ran' ? kindOf(end, verdict.kind === 'rows') : 'undecided';
  const detail = end.kind === 'ran' && 'failure' in end.outcome ? end.outcome.failure.message : null;
  return { connectorId: unit.envelope.connector_id, flowName, kind, detail, unit: unit.keyText };
}

function kindOf({ outcome, wrote }: Ran, isEnd: boolean): FlowOutcomeKind {
  switch (outcome.status) {
    case 'completed':
      return wrote ? 'wrote' : 'passed';
    // Its main write landed.
    case 'partial_success':
      return 'wrote';
    // There was nothing to write, or the destination answered and refused this record.
    case 'skipped':
    case 'failed':
    case 'quarantined':
      return 'passed';
    case 'hold':
      return 'fatal';
    // It waits for another record.
    case 'aside':
      return 'undecided';
    case 'retry':
      // Its portal or destination could not be called at all.
      if (isUncounted(outcome.failure.code)) return 'undecided';
      if (!isEnd) return 'failed';
      return outcome.wrote ? 'wrote' : 'exhausted';
  }
}
