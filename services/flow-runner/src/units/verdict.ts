import { exhausted, type RunOutcome, type StepFailure } from '@sluice/flow-engine';
import type { HeldEvent, HeldReason, RecordRow } from '@sluice/ports';
import { unitKeyText } from '@sluice/ports';
import { recordRow, type RowFacts } from './record-row';
import { waitMs, type RetryPolicy } from './retry-policy';
import type { Unit } from './unit';

/** What becomes of a unit. `abandon`: the partition is no longer ours, its next owner decides. */
export type Verdict =
  | { kind: 'rows'; rows: RecordRow[] }
  | { kind: 'hold'; held: HeldEvent }
  | { kind: 'abandon' };

export const laneScope = (lane: string): string => `lane:${lane}`;
export const flowScope = (lane: string, flowName: string): string => `flow:${lane}|${flowName}`;
export const connectorScope = (connectorId: string): string => `connector:${connectorId}`;
const eventScope = (unit: Unit): string => `event:${unitKeyText(unit.key)}`;

/** A unit on its way into the held store. */
export function holdUnit(unit: Unit, hold: Pick<HeldEvent, 'scope' | 'reason' | 'dueAt'> & Partial<Pick<HeldEvent, 'attempts' | 'tries' | 'wrote' | 'lastError' | 'flowName'>>): HeldEvent {
  const before = unit.held;
  return {
    topic: unit.lease.topic, partition: unit.lease.partition, offset: unit.offset, unit: unit.key,
    organizationId: unit.envelope.organization_id, connectorId: unit.envelope.connector_id, lane: unit.envelope.lane,
    flowName: before?.flowName ?? null, attempts: before?.attempts ?? 0, tries: before?.tries ?? 0, wrote: before?.wrote ?? false, lastError: before?.lastError ?? null,
    envelope: unit.envelope,
    ...hold,
  };
}

/** Failures that say nothing about the event: waiting for them uses up no attempt. */
const freeOfCharge: ReadonlyMap<string, HeldReason> = new Map([['portal_dry', 'portal_dry'], ['blob_unavailable', 'blob_unavailable'], ['identity_claim_renewed', 'retry']]);

interface Facts extends Omit<RowFacts, 'status'> {
  flowName: string | null;
}

const failureFacts = (failure: StepFailure, stepId: string): Partial<RowFacts> => ({
  error: failure.message, errorKind: failure.kind, errorCode: failure.code, stepId,
});

/** Turns how an attempt ended into the unit's row or its wait (interface, Record-level outcomes; DESIGN 2.8, 2.9). */
export function verdictOf(unit: Unit, outcome: RunOutcome, facts: Facts, policy: RetryPolicy, now: number): Verdict {
  const before = { attempts: unit.held?.attempts ?? 0, tries: unit.held?.tries ?? 0 };
  const rows = (attempts: number, row: RowFacts): Verdict => ({ kind: 'rows', rows: [recordRow(unit, attempts, new Date(now), row)] });
  switch (outcome.status) {
    case 'completed':
      return rows(before.attempts + 1, { ...facts, status: 'completed' });
    case 'skipped':
      return rows(before.attempts + 1, { ...facts, status: 'skipped', reason: outcome.reason });
    case 'failed':
    case 'partial_success':
    case 'quarantined':
      return rows(before.attempts + 1, { ...facts, status: outcome.status, ...failureFacts(outcome.failure, outcome.stepId) });
    case 'retry':
    case 'aside':
    case 'hold':
      return waitOrEnd(unit, outcome, facts, policy, now, before, rows);
  }
}

/**
 * What waits with the unit. A held unit never moves to a wider scope than it is in: what it let pass has passed, and what
 * waits behind it there would overtake it.
 */
function scopeOf(unit: Unit, outcome: Waiting, flowName: string): string {
  const own = eventScope(unit);
  const current = unit.held?.scope;
  if (outcome.status === 'aside' || current === own) return own;
  const flow = flowScope(unit.envelope.lane, flowName);
  return outcome.status === 'hold' || current === flow ? flow : laneScope(unit.envelope.lane);
}

type Waiting = Extract<RunOutcome, { status: 'retry' | 'aside' | 'hold' }>;

function waitOrEnd(
  unit: Unit, outcome: Waiting, facts: Facts, policy: RetryPolicy, now: number,
  before: { attempts: number; tries: number }, rows: (attempts: number, row: RowFacts) => Verdict,
): Verdict {
  const { failure } = outcome;
  if (failure.code === 'lease_lost') return { kind: 'abandon' };
  const free = freeOfCharge.get(failure.code);
  const counts = outcome.status !== 'hold' && free === undefined;
  const attempts = before.attempts + (counts ? 1 : 0);
  const tries = before.tries + 1;
  const ended = { ...facts, ...failureFacts(failure, outcome.stepId) };
  if (Date.parse(unit.envelope.accepted_at) + policy.ttlMs <= now) return rows(attempts, { ...ended, status: 'dlq', reason: 'expired' });
  if (counts && attempts >= policy.attempts) return rows(attempts, { ...ended, status: exhausted(outcome) });
  const scope = scopeOf(unit, outcome, facts.flowName ?? '');
  const reasons = { retry: 'retry', hold: 'fatal', aside: 'counterpart' } as const;
  const reason = scope === eventScope(unit) ? 'counterpart' : (free ?? reasons[outcome.status]);
  const dueAt = now + (free === undefined ? waitMs(policy, tries, failure.retryAfterMs) : (failure.retryAfterMs ?? 1_000));
  return {
    kind: 'hold',
    held: holdUnit(unit, {
      scope, reason, dueAt, attempts, tries,
      wrote: outcome.wrote, lastError: failure.message, flowName: facts.flowName,
    }),
  };
}
