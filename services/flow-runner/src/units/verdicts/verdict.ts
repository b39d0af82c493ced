import type { PortalTrouble } from '@sluice/crm-writer';
import { exhausted, type RunOutcome, type StepFailure } from '@sluice/flow-engine';
import type { HeldEvent, HeldReason, KeptSteps, RecordRow, ScopeId } from '@sluice/ports';
import { connectorScope, eventScope, flowScope, laneScope, sameScope } from '@sluice/ports';
import { unitRows, type UnitFacts } from '../rows/item-rows';
import type { RowFacts } from '../rows/record-row';
import { waitMs, type RetryPolicy } from './retry-policy';
import { uncountedReason } from '../uncounted-failures';
import { isExpired, type Unit } from '../unit';

/** The verdict on a unit. `abandon`: this runner lost the partition, and its next owner decides. */
export type Verdict =
  | { kind: 'rows'; rows: RecordRow[] }
  | { kind: 'hold'; held: HeldEvent }
  | { kind: 'abandon' };

/** The scope of a unit that others of its lane may overtake: its own, or its flow's. It never moves to a wider one. */
export const narrowScopeOf = ({ held }: Unit): ScopeId | null => (held && isNarrow(held.scope) ? held.scope : null);
/** Whether later events of the lane may overtake those in the scope. */
export const isNarrow = ({ kind }: ScopeId): boolean => kind === 'event' || kind === 'flow';

/** The held row of a unit. */
export function holdUnit(
  unit: Unit,
  hold: Pick<HeldEvent, 'scope' | 'reason' | 'dueAt'> &
    Partial<Pick<
      HeldEvent, 'attempts' | 'tries' | 'wrote' | 'lastError' | 'lastErrorCode' | 'flowName' | 'keptSteps' | 'ending'
    >>,
): HeldEvent {
  const before = unit.held;
  return {
    topic: unit.lease.topic,
    partition: unit.lease.partition,
    offset: unit.offset,
    unit: unit.key,
    organizationId: unit.envelope.organization_id,
    connectorId: unit.envelope.connector_id,
    lane: unit.envelope.lane,
    flowName: before?.flowName ?? null,
    attempts: before?.attempts ?? 0,
    tries: before?.tries ?? 0,
    wrote: before?.wrote ?? false,
    lastError: before?.lastError ?? null,
    lastErrorCode: before?.lastErrorCode ?? null,
    mayLandUntil: unit.mayLandUntil === 0 ? null : unit.mayLandUntil,
    keptSteps: before?.keptSteps ?? null,
    ending: before?.ending ?? null,
    envelope: unit.envelope,
    ...hold,
  };
}

/**
 * The facts of a run beside its outcome. `kept`: what the next attempt has to know; absent: what it knew before. It is asked of
 * units that run again only, which few do.
 */
export type RunFacts = Omit<UnitFacts, 'status'> & { kept?: () => KeptSteps | null };

const failureFacts = (failure: StepFailure, stepId: string): Partial<RowFacts> => ({
  error: failure.message, errorKind: failure.kind, errorCode: failure.code, stepId,
});

/**
 * Turns the outcome of a run into the unit's rows or a hold.
 * @param trouble why the unit's portal is closed now; null while it is open
 */
export function verdictOf(
  unit: Unit,
  outcome: RunOutcome,
  facts: RunFacts,
  policy: RetryPolicy,
  now: number,
  trouble: PortalTrouble | null = null,
): Verdict {
  const before = { attempts: unit.held?.attempts ?? 0, tries: unit.held?.tries ?? 0 };
  const rows = (attempts: number, row: UnitFacts): Verdict => ({
    kind: 'rows',
    rows: unitRows(unit, attempts, new Date(now), row),
  });
  switch (outcome.status) {
    case 'completed':
      return rows(before.attempts + 1, { status: 'completed', ...facts });
    case 'skipped':
      return rows(before.attempts + 1, { status: 'skipped', ...facts, reason: outcome.reason });
    case 'failed':
    case 'partial_success':
    case 'quarantined':
      return rows(before.attempts + 1, { ...facts, status: outcome.status, ...failureFacts(outcome.failure, outcome.stepId) });
    case 'retry':
    case 'aside':
    case 'hold':
      return waitOrEnd(unit, outcome, facts, policy, now, outcome.status === 'retry' ? trouble : null, before, rows);
  }
}

/**
 * The scope in which the unit waits. A held unit never moves to a wider scope: units of its lane have already overtaken it, and
 * those that wait in the wider scope would do so too. While its portal is closed, a held unit stays in its scope, and a unit from
 * the log waits with its connector: thousands of lanes then have one wait instead of thousands.
 */
function scopeOf(unit: Unit, outcome: Waiting, flowName: string, trouble: PortalTrouble | null): ScopeId {
  const current = unit.held?.scope;
  const { code, waitsIn } = outcome.failure;
  if (outcome.status === 'aside' || waitsIn === 'event' || current?.kind === 'event') return eventScope(unit.key);
  // The whole connector waits for its portal, for the release of its write cap, and for a plugin that asked for a retry.
  if (trouble || code === 'write_cap_reached' || waitsIn === 'connector')
    return current ?? connectorScope(unit.envelope.connector_id);
  const flow = flowScope(unit.envelope.lane, flowName);
  return outcome.status === 'hold' || (current && sameScope(current, flow)) ? flow : laneScope(unit.envelope.lane);
}

/** Whether later events of the lane could overtake the unit while a write of it may still take effect (ADR 0035). */
const letsPassTooSoon = (unit: Unit, scope: ScopeId, now: number): boolean =>
  unit.mayLandUntil > now && isNarrow(scope) && narrowScopeOf(unit) === null;
const inItsLane = (unit: Unit, held: HeldEvent): HeldEvent =>
  ({ ...held, scope: laneScope(unit.envelope.lane), reason: 'late_write', dueAt: Math.max(held.dueAt ?? 0, unit.mayLandUntil) });

/**
 * A list may name a record twice: an unanswered write of the earlier entry must not take effect after the retried later one. 0:
 * the event has no list, or none of its writes may still take effect.
 */
const listMayLandUntil = ({ mayLandUntil }: Unit, { bulk = {} }: RunFacts): number =>
  Object.keys(bulk).length > 0 ? mayLandUntil : 0;

type Waiting = Extract<RunOutcome, { status: 'retry' | 'aside' | 'hold' }>;

/** The scope of a closed portal is tried more often than its events: a try before an event's own wait is over does not count. */
const isEarly = ({ held }: Unit, now: number): boolean =>
  held !== null && held.scope.kind === 'connector' && held.dueAt !== null && held.dueAt > now;

function waitOrEnd(
  unit: Unit, outcome: Waiting, facts: RunFacts, policy: RetryPolicy, now: number, trouble: PortalTrouble | null,
  before: { attempts: number; tries: number }, rows: (attempts: number, row: UnitFacts) => Verdict,
): Verdict {
  const { failure } = outcome;
  if (failure.code === 'lease_lost') return { kind: 'abandon' };
  const early = trouble !== null && isEarly(unit, now);
  const free = uncountedReason(failure.code);
  const counts = outcome.status !== 'hold' && free === undefined && !early;
  const attempts = before.attempts + (counts ? 1 : 0);
  const tries = before.tries + (early ? 0 : 1);
  const ended = { ...facts, ...failureFacts(failure, outcome.stepId) };
  if (isExpired(unit, policy.ttlMs, now))
    return rows(attempts, { ...ended, status: outcome.wrote ? 'partial_success' : 'dlq', reason: 'expired' });
  if (counts && attempts >= policy.attempts) return rows(attempts, { ...ended, status: exhausted(outcome) });
  const scope = scopeOf(unit, outcome, facts.flowName ?? '', trouble);
  const wait = free === undefined ? waitMs(policy, tries, failure.retryAfterMs) : (failure.retryAfterMs ?? 1_000);
  const due = early ? unit.held!.dueAt! : now + wait;
  const held = holdUnit(unit, {
    scope, reason: reasonOf(scope, outcome, trouble), dueAt: Math.max(due, listMayLandUntil(unit, facts)), attempts, tries,
    wrote: outcome.wrote, lastError: failure.message, lastErrorCode: failure.code, flowName: facts.flowName,
    ...(facts.kept !== undefined && { keptSteps: facts.kept() }),
  });
  return { kind: 'hold', held: letsPassTooSoon(unit, scope, now) ? inItsLane(unit, held) : held };
}

const reasons = { retry: 'retry', hold: 'fatal', aside: 'counterpart' } as const;

function reasonOf(scope: ScopeId, { status, failure }: Waiting, trouble: PortalTrouble | null): HeldReason {
  if (scope.kind === 'event' && failure.waitsIn !== 'event') return 'counterpart';
  if (trouble && scope.kind === 'connector') return trouble;
  return uncountedReason(failure.code) ?? reasons[status];
}
