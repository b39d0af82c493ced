import { nextCronTime } from '@sluice/background';
import type { SourcePlan, SourceReading } from '@sluice/ports';
import type { PolledSource } from '@sluice/sources';

/** What schedules are computed with. */
export interface Pace {
  /** Milliseconds between two readings of a source without a schedule. */
  tickMs: number;
  /** Milliseconds between two readings of any source at least. */
  leastMs: number;
}

/** What is to be done with a source now. */
export type Turn =
  /** `plan`: differs from the stored one. */
  | { kind: 'wait'; until: Date; plan: SourcePlan | null }
  /** `tick` names the reading: the same one until it has ended well. */
  | { kind: 'read'; tick: Date; plan: SourcePlan };

type Scheduled = Pick<PolledSource, 'schedule'>;

/** The longest wait after failures. */
const longestWaitMs = 300_000;
const firstWaitMs = 2_000;

const scheduleText = ({ schedule }: Scheduled): string => (schedule === null ? '' : `${schedule.cron} ${schedule.zone}`);

/** Decides about a source that is on. Ticks that were missed are not made up: the first of them is read, and then the next. */
export function turnOf(reading: SourceReading, source: Scheduled, now: Date): Turn {
  const isPlanned = reading.schedule === scheduleText(source) && reading.nextDueAt !== null;
  const plan: SourcePlan = isPlanned ? planOf(reading) : {
    ...planOf(reading), schedule: scheduleText(source),
    nextDueAt: source.schedule === null ? now : nextCronTime(source.schedule.cron, source.schedule.zone, now),
  };
  const due = plan.nextDueAt!;
  const { pollRequestedAt: asked } = reading;
  const isDue = due <= now && (reading.waitUntil === null || reading.waitUntil <= now);
  const isHeld = reading.retryAfterAt !== null && reading.retryAfterAt > now;
  if (!isHeld && (isDue || asked !== null)) return { kind: 'read', tick: due <= now ? due : asked!, plan };
  const times = [due, reading.waitUntil, reading.retryAfterAt].flatMap((time) => time?.getTime() ?? []);
  const until = asked !== null && isHeld ? reading.retryAfterAt! : new Date(Math.max(...times));
  return { kind: 'wait', until, plan: isPlanned ? null : plan };
}

const planOf = ({ failures, nextDueAt, retryAfterAt, schedule, waitUntil }: SourcePlan): SourcePlan =>
  ({ failures, nextDueAt, retryAfterAt, schedule, waitUntil });

/** The plan after a reading that ended well. A reading that somebody asked for does not move the next tick. */
export function planAfter(plan: SourcePlan, { schedule }: Scheduled, tick: Date, now: Date, pace: Pace): SourcePlan {
  const after = Math.max(now.getTime(), tick.getTime());
  const earliest = now.getTime() + pace.leastMs;
  const next = schedule === null
    ? Math.max(now.getTime() + pace.tickMs, earliest)
    : nextCronTime(schedule.cron, schedule.zone, new Date(after)).getTime();
  const wasAhead = plan.nextDueAt! > tick;
  return {
    schedule: plan.schedule, nextDueAt: wasAhead ? plan.nextDueAt : new Date(next),
    waitUntil: null, retryAfterAt: null, failures: 0,
  };
}

/** The plan after a failure: the same tick again, after twice the wait each time. */
export function planAfterFailure(plan: SourcePlan, tick: Date, now: Date, retryAfterMs: number | undefined): SourcePlan {
  const failures = plan.failures + 1;
  const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(plan.failures, 20));
  return {
    ...plan, nextDueAt: tick, failures, waitUntil: new Date(now.getTime() + waitMs),
    retryAfterAt: retryAfterMs === undefined ? null : new Date(now.getTime() + retryAfterMs),
  };
}

/** When a source is looked at again after its reading. */
export const lookAgainAt = ({ nextDueAt, retryAfterAt, waitUntil }: SourcePlan): Date =>
  new Date(Math.max(...[nextDueAt, waitUntil, retryAfterAt].flatMap((time) => time?.getTime() ?? [])));
