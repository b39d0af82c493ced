import type { StepTrace } from '@sluice/ports';
import type { LandedWrite } from '../crm-log';
import type { SimEvent } from '../sim-traffic';
import { isOvertaking } from './overtaking';
import { isOrphan } from './restored';
import { unitTextOf, writtenRecord, type Trial } from './trial';

/**
 * Of each identity value: there is one living record, and what its lanes wrote last is what they were sent last. Events without a
 * write there (they failed, or gave way) do not count; each of these was judged by itself.
 */
export function judgeFinalState(trial: Trial): void {
  const { crm, sent, notes } = trial;
  for (const [key, ids] of crm.idsOf) {
    const living = ids.filter((id) => !crm.deleted.has(id));
    if (living.length > 1 && notes.restores.length === 0) throw new Error(`twin: ${key} is ${living.join(' and ')}`);
  }
  for (const [key, newest] of newestPerLane(trial)) {
    const isIts = ({ record, n }: LandedWrite): boolean => crm.idsOf.get(key)!.includes(record) && sent[n - 1] !== undefined;
    const mayBeLast = (write: LandedWrite): boolean => !isOrphan(trial, sent[write.n - 1]!, write) && !isOvertaking(trial, write);
    const writes = crm.writes.filter((write) => isIts(write) && mayBeLast(write));
    for (const [lane, n] of newest) {
      const last = writes.findLast((write) => sent[write.n - 1]!.envelope.lane === lane);
      if (last && last.n < n) throw new Error(`final: ${key} ends with ${last.n} of lane ${lane}, the newest written is ${n}`);
    }
  }
}

/** By identity value and lane the newest event that says it has written. */
function newestPerLane(trial: Trial): Map<string, Map<string, number>> {
  const newest = new Map<string, Map<string, number>>();
  for (const event of trial.sent) {
    for (const key of writtenBy(trial, event)) {
      const lanes = newest.get(key) ?? new Map<string, number>();
      newest.set(key, lanes.set(event.envelope.lane, event.payload.n));
    }
  }
  return newest;
}

const isWrite = ({ id, status, output }: StepTrace): boolean =>
  id !== 'link' && status === 'ok' && (output as { skipped?: boolean }).skipped !== true;

const writtenBy = (trial: Trial, event: SimEvent): string[] =>
  trial.rowOf.get(unitTextOf(event.envelope))!.steps.filter(isWrite).map((step) => writtenRecord(trial, event, step)!.key);

/** What landed was sent by an event that had not ended: nobody waits for a write of one that has. */
export function judgeLateWrites(trial: Trial): void {
  for (const write of trial.crm.writes) {
    const { n, at, record } = write;
    const event = trial.byNumber.get(n)!;
    const endedAt = trial.notes.endedAt.get(unitTextOf(event.envelope))!;
    const isLate = at > endedAt && !isOrphan(trial, event, write) && !isOvertaking(trial, write);
    if (isLate) throw new Error(`late: ${n} landed on ${record} ${at - endedAt} ms after its event had ended`);
  }
}
