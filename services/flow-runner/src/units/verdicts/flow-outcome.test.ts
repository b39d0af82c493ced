import type { RunOutcome } from '@sluice/flow-engine';
import { testUnit } from '../../test-support/units';
import { flowOutcomeOf } from './flow-outcome';
import type { AttemptEnd } from './judge-attempt';

const failure = { kind: 'transient', code: 'crm_unavailable', message: 'the CRM answered 503' } as const;
const fatal = { kind: 'fatal', code: 'crm_forbidden', message: 'the CRM answered 403' } as const;
const permanent = { kind: 'permanent', code: 'crm_rejected', message: 'the CRM answered 400' } as const;
const declared = { kind: 'permanent', code: 'plugin_refused', message: 'the account is closed' } as const;
const dry = { kind: 'transient', code: 'portal_dry', message: 'no call left' } as const;
const unit = testUnit();
type Judged = Parameters<typeof flowOutcomeOf>[2];
const at = { stepId: 's' };
const hold: Judged = { kind: 'hold', held: {} as never };
const rows: Judged = { kind: 'rows', rows: [] };

const ran = (outcome: RunOutcome, wrote = false, flowName: string | null = 'orders'): AttemptEnd =>
  ({ kind: 'ran', outcome, facts: { flowName, configVersion: 1 }, trouble: null, wrote });

const notRun: AttemptEnd = { kind: 'not_run', counts: false, facts: { status: 'dlq', flowName: 'orders', configVersion: 1 } };

describe('what an attempt means for the breaker of its flow', () => {
  it.each<[string, AttemptEnd, Judged, string | null]>([
    ['a write', ran({ status: 'completed' } as RunOutcome, true), rows, 'wrote'],
    ['nothing to write', ran({ status: 'completed' } as RunOutcome), rows, 'passed'],
    ['a skip', ran({ status: 'skipped', reason: 'unchanged' } as RunOutcome), rows, 'passed'],
    ['a refused record', ran({ status: 'failed', ...at, failure: permanent }), rows, 'passed'],
    ['a record that a plugin says the target refused', ran({ status: 'failed', ...at, failure: declared }), rows, 'passed'],
    ['an accessory step that failed', ran({ status: 'partial_success', ...at, failure: fatal }, true), rows, 'wrote'],
    ['401 or 403 of the main write', ran({ status: 'hold', ...at, failure: fatal, wrote: false }), hold, 'fatal'],
    ['a retry', ran({ status: 'retry', ...at, failure, wrote: false }), hold, 'failed'],
    ['the last retry', ran({ status: 'retry', ...at, failure, wrote: false }), rows, 'exhausted'],
    ['the last retry of an accessory step', ran({ status: 'retry', ...at, failure, wrote: true }), rows, 'wrote'],
    ['a portal without calls left', ran({ status: 'retry', ...at, failure: dry, wrote: false }), hold, 'undecided'],
    ['an event that steps aside', ran({ status: 'aside', ...at, failure, wrote: false }), hold, 'undecided'],
    ['an event without a flow', ran({ status: 'completed' } as RunOutcome, false, null), rows, null],
    ['an event that did not run', notRun, rows, 'undecided'],
  ])('%s', (_name, end, verdict, kind) => {
    expect(flowOutcomeOf(unit, end, verdict)?.kind ?? null).toBe(kind);
  });

  it('names the flow, the unit and what the failure said', () => {
    expect(flowOutcomeOf(unit, ran({ status: 'hold', ...at, failure: fatal, wrote: false }), hold)).toEqual({
      connectorId: unit.envelope.connector_id, flowName: 'orders', kind: 'fatal', detail: 'the CRM answered 403',
      unit: unit.keyText,
    });
  });
});
