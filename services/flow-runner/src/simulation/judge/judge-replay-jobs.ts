import { runOfReplayJob } from '@sluice/ports';
import type { ReplayJobNotes } from '../replays/replay-notes';
import type { SimEvent } from '../sim-traffic';
import { unitTextOf, type Trial } from './trial';

/** Fails a promise of a job. */
const broken = ({ job }: ReplayJobNotes, what: string): never => { throw new Error(`replay job: ${job.id} ${what}`); };

/**
 * A replay job starts what was accepted before it, in that order, each record once and no more at a time than its window and its
 * rate allow; after a cancellation it starts nothing; its counts are what happened, and it ends when all of it has ended.
 */
export function judgeReplayJobs(trial: Trial): void {
  const eventOf = new Map(trial.replays.map((event) => [unitTextOf(event.envelope), event]));
  for (const notes of trial.jobs) {
    const started = new Set(notes.steps.flatMap((step) => step.started));
    judgeStarts(notes, eventOf, started);
    judgePace(notes, trial.replayWindow!);
    judgeEnd(trial.jobs, notes, started);
  }
}

function judgeStarts(notes: ReplayJobNotes, eventOf: ReadonlyMap<string, SimEvent>, started: ReadonlySet<string>): void {
  const { job, steps, published, cancelledAt } = notes;
  if (steps.flatMap((step) => step.started).length > started.size) broken(notes, 'started a record twice');
  let last = 0;
  for (const { at, unit } of published) {
    const acceptedAt = Date.parse(eventOf.get(unit)!.envelope.accepted_at);
    if (acceptedAt > job.createdAt.getTime()) broken(notes, `replays ${unit}, which was accepted after it`);
    if (cancelledAt !== null && at > cancelledAt) broken(notes, `published ${unit} after it was cancelled`);
    const step = steps.find((one) => one.started.includes(unit));
    if (step && at > step.at) broken(notes, `published ${unit} again after it was started`);
    // What was published before its step was undone is published again with its step.
    if (!step || published.findLast((one) => one.unit === unit)!.at !== at) continue;
    if (acceptedAt < last) broken(notes, `started ${unit} after one that was accepted later`);
    last = acceptedAt;
  }
  const lost = [...started].find((unit) => !published.some((one) => one.unit === unit));
  if (lost) broken(notes, `counts ${lost} as started, which is not in the log`);
}

/** The share of the runners that a job may have: its window, and the rate that was asked for. */
function judgePace(notes: ReplayJobNotes, window: number): void {
  const looked = new Map<bigint, number>();
  for (const { at, epoch, matched, underWay } of notes.steps) {
    if (underWay > window) broken(notes, `had ${underWay} records under way, with a window of ${window}`);
    looked.set(epoch, (looked.get(epoch) ?? 0) + matched);
    const ms = at - notes.openedAt.get(epoch)!;
    const { ratePerSecond: rate } = notes.job;
    if (rate !== null && looked.get(epoch)! > (ms * rate) / 1_000 + 1)
      broken(notes, `looked at ${looked.get(epoch)} records in ${ms} ms, with a rate of ${rate}`);
  }
}

function judgeEnd(jobs: readonly ReplayJobNotes[], notes: ReplayJobNotes, own: ReadonlySet<string>): void {
  const { job: { status, matched, replayed, skipped, failed }, steps, wanted, finishedAt, leftAtFinish } = notes;
  const looked = steps.reduce((all, step) => all + step.matched, 0);
  if (matched !== looked || matched !== replayed + skipped + failed || failed > 0 || replayed < own.size)
    broken(notes, `counts ${[matched, replayed, skipped, failed].join(', ')} after ${looked} records, ${own.size} started`);
  if (status !== (finishedAt === null ? 'cancelled' : 'completed')) broken(notes, `is ${status}`);
  if (finishedAt === null) return;
  if (leftAtFinish.length > 0) broken(notes, `was completed before ${leftAtFinish[0]} had ended`);
  // Also by another job, and by a step that was undone after the log had taken its message.
  const isReplayed = (record: string): boolean => jobs.some((one) =>
    one.published.some(({ unit }) => unit === `${record}/${runOfReplayJob(one.job.id)}`));
  for (const record of wanted) if (!isReplayed(record)) broken(notes, `left out ${record}`);
}
