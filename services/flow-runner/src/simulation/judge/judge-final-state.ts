import type { StepTrace } from '@sluice/ports';
import type { LandedWrite } from '../crm-log';
import type { SimEvent } from '../sim-traffic';
import { hasForgotten } from './forgotten';
import { isTelling } from './judge-told';
import { isOvertaking } from './overtaking';
import { isOrphan } from './restored';
import { ticketsOf } from '../worlds/sim-payload';
import { writtenTickets } from './ticket-rows';
import { areOrdered, unitTextOf, writtenRecord, type Trial } from './trial';

/**
 * Checks for each identity value that one live record exists, and that the last write of each lane is the last event sent. Events
 * without a write (failed or superseded) do not count; each of these was judged separately.
 */
export function judgeFinalState(trial: Trial): void {
  const { crm, sent, notes } = trial;
  for (const [key, ids] of crm.idsOf) {
    const living = ids.filter((id) => !crm.deleted.has(id));
    if (living.length > 1 && notes.restores.length === 0) throw new Error(`twin: ${key} is ${living.join(' and ')}`);
  }
  for (const [key, newest] of newestPerLane(trial)) {
    const isIts = ({ record, n }: LandedWrite): boolean => crm.idsOf.get(key)!.includes(record) && sent[n - 1] !== undefined;
    const mayBeLast = (write: LandedWrite): boolean =>
      !isOrphan(trial, sent[write.n - 1]!, write) && !isOvertaking(trial, write) && !hasForgotten(trial, write);
    const writes = crm.writes.filter(isIts);
    for (const event of newest) {
      const { envelope: { lane }, payload: { n } } = event;
      // What the newest event wrote counts, also when it overtook others then.
      const last = writes.findLast((write) => areOrdered(event, sent[write.n - 1]!) && (write.n === n || mayBeLast(write)));
      if (last && last.n < n) throw new Error(`final: ${key} ends with ${last.n}, in lane ${lane} ${n} was written`);
    }
  }
}

/** By identity value the newest events whose outcome is a write, one of each lane and ordering. */
function newestPerLane(trial: Trial): Map<string, SimEvent[]> {
  const newest = new Map<string, Map<string, SimEvent>>();
  for (const event of trial.sent) {
    const { lane, ordering_epoch: epoch = 0 } = event.envelope;
    for (const key of writtenBy(trial, event)) {
      const lanes = newest.get(key) ?? new Map<string, SimEvent>();
      newest.set(key, lanes.set(`${epoch} ${lane}`, event));
    }
  }
  return new Map([...newest].map(([key, lanes]) => [key, [...lanes.values()]]));
}

const isWrite = ({ id, status, output }: StepTrace): boolean =>
  id !== 'link' && !isTelling({ id }) && status === 'ok' && (output as { skipped?: boolean }).skipped !== true;

const writtenBy = (trial: Trial, event: SimEvent): string[] =>
  ticketsOf(event.payload).length > 0 ? writtenTickets(trial, event).map(({ key }) => key) : recordsWrittenBy(trial, event);

const recordsWrittenBy = (trial: Trial, event: SimEvent): string[] =>
  trial.rowOf.get(unitTextOf(event.envelope))!.steps.filter(isWrite).map((step) => writtenRecord(trial, event, step)!.key);

/**
 * Checks that every write belongs to an event that had not ended when it took effect: no lane waits for a write of an ended
 * event.
 */
export function judgeLateWrites(trial: Trial): void {
  for (const write of trial.crm.writes) {
    const { n, at, record } = write;
    const event = trial.byNumber.get(n)!;
    const endedAt = trial.notes.endedAt.get(unitTextOf(event.envelope))!;
    const isLate = at > endedAt && !isOrphan(trial, event, write) && !isOvertaking(trial, write);
    if (isLate) throw new Error(`late: ${n} landed on ${record} ${at - endedAt} ms after its event had ended`);
  }
}
