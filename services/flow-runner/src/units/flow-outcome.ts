import type { FlowOutcome, FlowOutcomeKind } from '@sluice/ports';
import type { AttemptEnd } from './judge-attempt';
import type { Unit } from './unit';
import { isUncounted, type Verdict } from './verdict';

type Ran = Extract<AttemptEnd, { kind: 'ran' }>;

/**
 * What an attempt means for the breaker of its flow (docs/reference/events.md, Flow breaker); null: nothing, also where the flow
 * did not run, or its portal or destination could not be called at all.
 */
export function flowOutcomeOf(unit: Unit, end: AttemptEnd, verdict: Exclude<Verdict, { kind: 'abandon' }>): FlowOutcome | null {
  if (end.kind !== 'ran' || end.facts.flowName === null) return null;
  const kind = kindOf(end, verdict.kind === 'rows');
  if (kind === null) return null;
  const detail = 'failure' in end.outcome ? end.outcome.failure.message : null;
  return { connectorId: unit.envelope.connector_id, flowName: end.facts.flowName, kind, detail, unit: unit.keyText };
}

function kindOf({ outcome, wrote }: Ran, isEnd: boolean): FlowOutcomeKind | null {
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
    case 'aside':
      return null;
    case 'retry':
      if (isUncounted(outcome.failure.code)) return null;
      if (!isEnd) return 'failed';
      return outcome.wrote ? 'wrote' : 'exhausted';
  }
}
