import type { TaskEnd } from '@sluice/ports';
import { nextCronTime } from './next-cron-time';
import type { Again, RunContext, Schedule, Worker } from './worker';

/** The end of a run that did its work. */
export function endOfDone({ schedule }: Worker, context: RunContext, again: Again): TaskEnd {
  return { next: again ?? (('waits' in schedule) ? 'removed' : nextOf(schedule, context)), error: null, retry: false };
}

/** The end of a run that failed; the tries are not used up. */
export function endOfFailed({ schedule }: Worker, context: RunContext, error: string): TaskEnd {
  if (!('waits' in schedule)) return { next: nextOf(schedule, context), error, retry: true };
  const wait = schedule.waits[Math.min(context.attempt, schedule.waits.length) - 1]!;
  return { next: { dueInMs: wait }, error, retry: true };
}

/** Whether the tries of a task were used up before this one, or with it. */
export const isLastAttempt = ({ schedule }: Worker, attempt: number): boolean => attempt >= attemptsOf(schedule);
export const isBeyondAttempts = ({ schedule }: Worker, attempt: number): boolean => attempt > attemptsOf(schedule);

const attemptsOf = (schedule: Schedule): number => ('waits' in schedule ? schedule.attempts ?? Infinity : Infinity);

/** When a new task of a schedule is due: at once, or at the first time of its cron expression. */
export const firstDueInMs = (schedule: Repeating): number =>
  'every' in schedule ? 0 : nextCronTime(schedule.cron, schedule.zone, new Date()).getTime() - Date.now();

type Repeating = Exclude<Schedule, { waits: readonly number[] }>;

function nextOf(schedule: Repeating, { dueAt, startedAt }: RunContext): TaskEnd['next'] {
  if ('every' in schedule) return { dueInMs: schedule.every };
  const after = Math.max(dueAt.getTime(), startedAt.getTime());
  return { dueAt: nextCronTime(schedule.cron, schedule.zone, new Date(after)) };
}
