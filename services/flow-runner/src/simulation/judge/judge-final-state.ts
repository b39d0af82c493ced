import type { RecordRow } from '@sluice/ports';
import type { SimEvent } from '../sim-traffic';
import { simPortal } from '../sim-traffic';
import { recordKeyOf, unitTextOf, type Trial } from './trial';

/**
 * Of each record: what its lanes wrote last is what they were sent last. Events without a write there (they failed, or gave way)
 * do not count; each of these was judged by itself.
 */
export function judgeFinalState(trial: Trial): void {
  for (const [record, newest] of newestPerLane(trial)) {
    const [id, ...twins] = trial.idsOf.get(record) ?? [];
    if (id === undefined) throw new Error(`final: there is no ${record}`);
    if (twins.length > 0) throw new Error(`twin: ${record} is ${[id, ...twins].join(' and ')}`);
    const writes = trial.byRecord.get(id)!;
    for (const [lane, n] of newest) {
      const last = writes.findLast((write) => trial.sent[write.n - 1]?.envelope.lane === lane)!;
      if (last.n < n) throw new Error(`final: ${record} ends with ${last.n} of lane ${lane}, the newest written is ${n}`);
    }
  }
}

/** By record and lane the newest event that says it has written. */
function newestPerLane({ sent, rowOf }: Trial): Map<string, Map<string, number>> {
  const newest = new Map<string, Map<string, number>>();
  for (const event of sent) {
    for (const record of writtenBy(event, rowOf.get(unitTextOf(event.envelope))!)) {
      const lanes = newest.get(record) ?? new Map<string, number>();
      newest.set(record, lanes.set(event.envelope.lane, event.payload.n));
    }
  }
  return newest;
}

const writtenBy = (event: SimEvent, { steps }: RecordRow): string[] =>
  steps
    .filter(({ id, status, output }) => id !== 'link' && status === 'ok' && (output as { skipped?: boolean }).skipped !== true)
    .map(({ id }) => recordKeyOf(simPortal, event, id));

/** What landed was sent by an event that had not ended: nobody waits for a write of one that has. */
export function judgeLateWrites({ crm, byNumber, notes }: Trial): void {
  for (const { n, at, record } of crm.writes) {
    const unit = unitTextOf(byNumber.get(n)!.envelope);
    const endedAt = notes.endedAt.get(unit)!;
    if (at > endedAt) throw new Error(`late: ${n} landed on ${record} ${at - endedAt} ms after its event had ended`);
  }
}
