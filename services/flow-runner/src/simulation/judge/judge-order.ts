import { isLaterPosition, type AcceptPosition } from '@sluice/ports';
import type { LandedWrite } from '../crm-log';
import { forgottenBefore, isGuarded } from './forgotten';
import { isOvertaking } from './overtaking';
import { beganAnew, isOrphan } from './restored';
import { areOrdered, isReplay, unitTextOf, type Trial } from './trial';

/** If no read of the store is known, one was possible this long before the write. */
const lookMs = 10_000;

/**
 * For each record, the numbers of writes whose order is promised never go back: a repeated attempt repeats only the last write. A
 * replay or an event that stepped aside never overwrites something newer that it could know when it checked.
 */
export function judgeOrder(trial: Trial): void {
  for (const [record, writes] of trial.byRecord) {
    const inTurn: LandedWrite[] = [];
    writes.forEach((write, index) => {
      const event = trial.byNumber.get(write.n)!;
      if (isOrphan(trial, event, write) || isOvertaking(trial, write)) return;
      const begin = Math.max(beganAnew(trial, event, write.at), forgottenBefore(trial, event, write.sentAt));
      const goesBefore = ({ n, sentAt }: LandedWrite): boolean =>
        n > write.n && sentAt >= begin && areOrdered(event, trial.byNumber.get(n)!);
      if (isGuarded(trial, write)) judgeGuarded(trial, record, write, writes.slice(0, index));
      else {
        const newer = inTurn.find(goesBefore);
        if (newer) throw new Error(`order: ${record} got ${textOf(writes)}: ${write.n} came after ${newer.n}`);
      }
      if (!isReplay(event)) inTurn.push(write);
    });
  }
}

const textOf = (writes: readonly LandedWrite[]): string => writes.map(({ n }) => n).join(' ');

function judgeGuarded(trial: Trial, record: string, write: LandedWrite, earlier: readonly LandedWrite[]): void {
  const { notes, positions, byNumber } = trial;
  const positionOf = ({ n }: LandedWrite): AcceptPosition => positions.get(unitTextOf(byNumber.get(n)!.envelope))!;
  const position = positionOf(write);
  const isOwn = ({ position: { offset, partition } }: { position: AcceptPosition }): boolean =>
    offset === position.offset && partition === position.partition;
  const mayBe = ({ by, at, record: about }: Trial['notes']['looks'][number]): boolean =>
    by === write.by && about === record && at <= write.sentAt;
  const look = notes.looks.findLast((asked) => mayBe(asked) && isOwn(asked));
  const lookedAt = look?.at ?? write.sentAt - lookMs;
  const isNewer = (saved: AcceptPosition): boolean => isLaterPosition(saved, position);
  const isKept = ({ at, until }: Trial['notes']['saves'][number]): boolean =>
    at < lookedAt && (until === null || until > lookedAt);
  const stored = notes.saves.find((save) => save.record === record && isKept(save) && isNewer(save.position));
  if (stored) throw new Error(`guard: ${record} got ${write.n}, the store knew of a write of ${stored.position.acceptedAt}`);
  const wasHeard = ({ by, heardAt }: LandedWrite): boolean => by === write.by && heardAt !== null && heardAt < write.sentAt;
  const own = earlier.find((other) => wasHeard(other) && isLaterPosition(positionOf(other), position));
  const got = textOf([...earlier, write]);
  if (own) throw new Error(`guard: ${record} got ${got}: ${write.by} had the answer to ${own.n} when it sent ${write.n}`);
}
