import type { BreakerReason, BreakerSettings, FlowBreaker, FlowOutcome } from './flow-breaker';

/** Fatal outcomes in a row that open a breaker. */
export const fatalLimit = 3;
/** Records in a row that used up their attempts without the flow writing anything. */
export const exhaustedLimit = 5;
/** Executions that a rate must have, and the window in which they are counted. */
export const [rateLeast, rateWindowMs] = [20, 7_200_000];

const hourMs = 3_600_000;

/** The breaker after an attempt of its flow has ended. */
export function afterOutcome(breaker: FlowBreaker, outcome: FlowOutcome, now: number, settings: BreakerSettings): FlowBreaker {
  const counted = withStreaks(breaker, outcome);
  const isRecovery = breaker.state === 'half_open' && breaker.attempt?.unit === outcome.unit;
  if (isRecovery && outcome.kind === 'undecided') return { ...counted, state: 'open', attempt: null };
  if (isRecovery) {
    const failed = outcome.kind === 'fatal' || outcome.kind === 'exhausted' || outcome.kind === 'failed';
    return failed ? opened(counted, breaker.reason ?? reasonOf(outcome), outcome.detail, now, settings) : closed(counted, now);
  }
  if (breaker.state !== 'closed') return counted;
  if (counted.fatalStreak >= fatalLimit) return opened(counted, 'fatal_streak', outcome.detail, now, settings);
  if (counted.exhaustedStreak >= exhaustedLimit) {
    return opened(counted, 'transient_exhausted_streak', outcome.detail, now, settings);
  }
  return counted;
}

function withStreaks(breaker: FlowBreaker, { kind }: FlowOutcome): FlowBreaker {
  switch (kind) {
    case 'wrote':
      return { ...breaker, fatalStreak: 0, exhaustedStreak: 0 };
    case 'fatal':
      return { ...breaker, fatalStreak: breaker.fatalStreak + 1 };
    case 'exhausted':
      return { ...breaker, exhaustedStreak: breaker.exhaustedStreak + 1 };
    default:
      return breaker;
  }
}

const reasonOf = ({ kind }: FlowOutcome): BreakerReason => (kind === 'fatal' ? 'fatal_streak' : 'transient_exhausted_streak');

/** The breaker opens, or stays open for longer. */
export function opened(
  breaker: FlowBreaker, reason: BreakerReason, detail: string | null, now: number, { waitsMs, healthyResetMs }: BreakerSettings,
): FlowBreaker {
  const opens = (isHealthyAgain(breaker, now, healthyResetMs) ? 0 : breaker.opens) + 1;
  const cooldownMs = waitsMs[Math.min(opens, waitsMs.length) - 1] ?? 0;
  return {
    ...breaker, state: 'open', reason, detail, opens, cooldownMs, openedAt: now, retryAfterAt: now + cooldownMs, attempt: null,
  };
}

/** The breaker closes; its openings are remembered until the flow has been healthy for long enough. */
export const closed = (breaker: FlowBreaker, now: number): FlowBreaker => ({
  ...breaker, state: 'closed', reason: null, detail: null, openedAt: null, retryAfterAt: null, cooldownMs: null, attempt: null,
  fatalStreak: 0, exhaustedStreak: 0, closedAt: breaker.state === 'closed' ? breaker.closedAt : now,
});

/** Whether the flow has stayed closed for so long that its openings do not count any more. */
export const isHealthyAgain = ({ state, closedAt }: FlowBreaker, now: number, healthyResetMs: number): boolean =>
  state === 'closed' && closedAt !== null && now - closedAt >= healthyResetMs;

/**
 * Somebody set the connector active: the breaker closes, also one that an operator opened. One that he keeps closed stays forced.
 */
export const reactivated = (breaker: FlowBreaker, now: number): FlowBreaker =>
  ({ ...closed(breaker, now), forced: breaker.forced === 'open' ? null : breaker.forced });

/** The recovery attempt is due at once, also of a flow that an operator stopped: its breaker is automatic from then on. */
export function retriedNow(breaker: FlowBreaker, now: number): FlowBreaker {
  if (breaker.forced === 'open') {
    const { openedAt, cooldownMs } = breaker;
    const opening: Partial<FlowBreaker> = { reason: 'manual', openedAt: openedAt ?? now, cooldownMs: cooldownMs ?? 0 };
    return { ...breaker, ...opening, forced: null, state: 'open', retryAfterAt: now, attempt: null };
  }
  return breaker.state === 'closed' ? breaker : { ...breaker, state: 'open', retryAfterAt: now, attempt: null };
}

/**
 * The breaker with a unit as its recovery attempt; null: it may not be it now. An attempt that has not ended within `attemptMs`
 * was lost, and another unit may be it.
 */
export function claimed(breaker: FlowBreaker, unit: string, now: number, attemptMs: number): FlowBreaker | null {
  const isDue = breaker.state === 'open' && (breaker.retryAfterAt ?? 0) <= now;
  const isLost = breaker.state === 'half_open' && (breaker.attempt === null || breaker.attempt.until <= now);
  const isMine = breaker.state === 'half_open' && breaker.attempt?.unit === unit;
  if (breaker.forced !== null || !(isDue || isLost || isMine)) return null;
  return { ...breaker, state: 'half_open', attempt: { unit, until: now + attemptMs } };
}

/** For how long after a wait only the oldest held event may be the recovery attempt: it may be in hand of nobody just now. */
export const oldestFirstMs = 5_000;

/**
 * Whether a unit may be the recovery attempt before others: the oldest held one first.
 * @param oldest the oldest unit that is held for the flow and due; null: there is none
 */
export const isTurnOf = (unit: string, oldest: string | null, { retryAfterAt }: FlowBreaker, now: number): boolean =>
  oldest === null || oldest === unit || now - (retryAfterAt ?? 0) >= oldestFirstMs;

/** Since when executions count in the failure rate: the window, but nothing up to and including the hour of the last closing. */
export function rateSince({ closedAt }: FlowBreaker, now: number): number {
  const afterClosing = closedAt === null ? 0 : (Math.floor(closedAt / hourMs) + 1) * hourMs;
  return Math.max(now - rateWindowMs, afterClosing);
}

/** Whether fatal failures among executions open a breaker. */
export const isRateTooHigh = ({ fatal, executions }: { fatal: number; executions: number }): boolean =>
  executions >= rateLeast && fatal * 2 > executions;
