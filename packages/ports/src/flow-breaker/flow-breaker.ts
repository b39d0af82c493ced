/** Why a flow is stopped. */
export const breakerReasons = ['fatal_streak', 'transient_exhausted_streak', 'failure_rate', 'manual'] as const;
export type BreakerReason = (typeof breakerReasons)[number];

export type BreakerState = 'closed' | 'open' | 'half_open';

/**
 * The breaker of a flow of a connector (docs/reference/events.md, Flow breaker).
 * Times are the store's, milliseconds since the epoch.
 */
export interface FlowBreaker {
  connectorId: string;
  flowName: string;
  state: BreakerState;
  /** What an operator set; nothing automatic changes it, a user's retry or activation ends `open`. null: automatic. */
  forced: 'open' | 'closed' | null;
  reason: BreakerReason | null;
  /** What the last failure said. */
  detail: string | null;
  /** When it opened, or stayed open for longer, last. */
  openedAt: number | null;
  /** From then on one event is the recovery attempt. */
  retryAfterAt: number | null;
  /** The whole wait of this opening. */
  cooldownMs: number | null;
  /** Openings since the flow was last healthy for long enough. */
  opens: number;
  closedAt: number | null;
  /** Fatal outcomes, and records that used up their attempts, since the flow last wrote. */
  fatalStreak: number;
  exhaustedStreak: number;
  /** The unit that is the recovery attempt, and until when it is waited for. */
  attempt: { unit: string; until: number } | null;
}

/**
 * What an attempt of a flow means for its breaker.
 * - `wrote`: it wrote, also where an accessory step failed afterwards
 * - `fatal`: the target refused who is calling (401, 403)
 * - `exhausted`: its record used up its attempts without the flow writing anything
 * - `failed`: it failed in another way and is tried again; counts for a recovery attempt alone
 * - `passed`: it ended without writing, in another way: nothing to write, skipped, refused by the target
 * - `undecided`: it says nothing about the target; a recovery attempt that ends so gives its turn to another event
 */
export type FlowOutcomeKind = 'wrote' | 'fatal' | 'exhausted' | 'failed' | 'passed' | 'undecided';

export interface FlowOutcome {
  connectorId: string;
  flowName: string;
  kind: FlowOutcomeKind;
  /** What the failure said, masked. */
  detail: string | null;
  /** `unitKeyText` of the unit. */
  unit: string;
}

export interface BreakerSettings {
  /** Waits of the first, second, ... opening; the last one repeats. Milliseconds. */
  waitsMs: readonly number[];
  /** A flow that stayed closed for so long begins with the first wait again. */
  healthyResetMs: number;
}

/** A breaker that nothing has happened to. */
export const newBreaker = (connectorId: string, flowName: string): FlowBreaker => ({
  connectorId, flowName, state: 'closed', forced: null, reason: null, detail: null, openedAt: null, retryAfterAt: null,
  cooldownMs: null, opens: 0, closedAt: null, fatalStreak: 0, exhaustedStreak: 0, attempt: null,
});

/** The state in force. */
export const stateInForce = ({ state, forced }: Pick<FlowBreaker, 'state' | 'forced'>): BreakerState => forced ?? state;

/**
 * The state at a time, as people are shown it: a breaker whose wait is over is `half_open`, also while no event has come yet that
 * could be the recovery attempt.
 */
export function stateAt(breaker: FlowBreaker, now: number): BreakerState {
  const state = stateInForce(breaker);
  return state === 'open' && !isOpenInsideWait(breaker, now) ? 'half_open' : state;
}

/** Why events of the flow may not run now; null: they may, or one of them may be the recovery attempt. */
export function isOpenInsideWait(breaker: FlowBreaker, now: number): boolean {
  if (breaker.forced !== null) return breaker.forced === 'open';
  return breaker.state === 'open' && breaker.retryAfterAt !== null && breaker.retryAfterAt > now;
}
