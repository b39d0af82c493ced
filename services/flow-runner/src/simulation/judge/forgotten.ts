import type { LandedWrite } from '../crm-log';
import type { SimEvent } from '../sim-traffic';
import { isReplay, unitTextOf, type Trial } from './trial';

/**
 * Until when the store has lost the last writers of records: a rebind deletes the positions with the mappings, and events that
 * are held with their flow or stepped aside may have been overtaken meanwhile (docs/guarantees.md, Not promised). 0: it has lost
 * nothing.
 */
export function forgottenBefore({ notes, changes }: Trial, { envelope }: SimEvent, sentAt: number): number {
  const unit = unitTextOf(envelope);
  const since = (times: ReadonlyMap<string, number>): number => times.get(unit) ?? Number.POSITIVE_INFINITY;
  const passedSince = Math.min(since(notes.passedSince), since(notes.steppedAt));
  const own = changes.filter(({ change }) => change.connector_id === envelope.connector_id);
  const isRebind = ({ at, change }: Trial['changes'][number], before: Trial['changes'][number] | undefined): boolean =>
    at > passedSince && at <= sentAt && before !== undefined && before.change.binding?.epoch !== change.binding?.epoch;
  return own.findLast((one, index) => isRebind(one, own[index - 1]))?.at ?? 0;
}

/** Whether an event that newer ones may have passed made this write: a replay, or one that had stepped aside. */
export function isGuarded({ byNumber, notes }: Trial, { n, sentAt }: LandedWrite): boolean {
  const event = byNumber.get(n)!;
  return isReplay(event) || sentAt >= (notes.steppedAt.get(unitTextOf(event.envelope)) ?? Number.POSITIVE_INFINITY);
}

/** Whether such an event may have written over a newer one because the store had lost the positions of the records' writers. */
export const hasForgotten = (trial: Trial, write: LandedWrite): boolean =>
  isGuarded(trial, write) && forgottenBefore(trial, trial.byNumber.get(write.n)!, write.sentAt) > 0;
