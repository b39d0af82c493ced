import { lanePartition } from '@sluice/contracts';
import type { LandedWrite } from '../crm-log';
import { simPartitions, type SimEvent } from '../sim-traffic';
import type { Trial } from './trial';

/** How long a runner continues before it learns that the store was restored. */
const unheardMs = 4_000;

type Move = Trial['notes']['moves'][number];
type Restore = Trial['notes']['restores'][number];

/** Whether the owner of a partition continued after the store was restored, because the store lacked nothing that it knew. */
function wentOn({ moves, settled }: Trial['notes'], partition: number, restore: Restore): boolean {
  const owner = moves.slice(0, restore.moves).findLast((move) => move.partition === partition);
  const isOwners = ({ at, partition: settledIn, epoch }: Trial['notes']['settled'][number]): boolean =>
    settledIn === partition && epoch === owner?.epoch && at > restore.at;
  return settled.some(isOwners);
}

/**
 * The times at which the partition of an event was taken after a restore (before `until`) to a state that lacked something of it,
 * in order.
 */
function takenAnew({ notes }: Trial, { envelope }: SimEvent, until: number): Move[] {
  if (notes.restores.length === 0) return [];
  const partition = lanePartition(envelope.connector_id, '', 1, simPartitions);
  const restore = notes.restores.findLast((one) => one.at <= until && !wentOn(notes, partition, one));
  return restore ? notes.moves.slice(restore.moves).filter((move) => move.partition === partition) : [];
}

/** From when on lost events run again, in their order; 0: the store had lost nothing before `until`. */
export const beganAnew = (trial: Trial, event: SimEvent, until: number): number => takenAnew(trial, event, until)[0]?.at ?? 0;

/**
 * A write of a runner that has not taken the partition since the store was restored: it lost a lease that the restored store does
 * not have, and may write at the same time as the next owner until it learns of that (ADR 0052).
 */
export function isOrphan(trial: Trial, event: SimEvent, { sentAt, at, by }: LandedWrite): boolean {
  const taken = takenAnew(trial, event, at);
  const isOwner = taken.some((move) => move.by === by && move.at <= sentAt);
  return !isOwner && taken.length > 0 && sentAt < taken[0]!.at + unheardMs;
}
