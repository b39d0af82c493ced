import { lanePartition } from '@sluice/contracts';
import type { LandedWrite } from '../crm-log';
import { simPartitions, type SimEvent } from '../sim-traffic';
import type { Trial } from './trial';

/** So long a runner goes on before it hears that the store was put back. */
const unheardMs = 4_000;

type Move = Trial['notes']['moves'][number];
type Restore = Trial['notes']['restores'][number];

/** Whether who had a partition when the store was put back went on with it: the store lacked nothing that it knew of. */
function wentOn({ moves, settled }: Trial['notes'], partition: number, restore: Restore): boolean {
  const owner = moves.slice(0, restore.moves).findLast((move) => move.partition === partition);
  const isOwners = ({ at, partition: settledIn, epoch }: Trial['notes']['settled'][number]): boolean =>
    settledIn === partition && epoch === owner?.epoch && at > restore.at;
  return settled.some(isOwners);
}

/** When the partition of an event was taken after a store that lacked something of it was put back before `until`, in order. */
function takenAnew({ notes }: Trial, { envelope }: SimEvent, until: number): Move[] {
  if (notes.restores.length === 0) return [];
  const partition = lanePartition(envelope.connector_id, '', 1, simPartitions);
  const restore = notes.restores.findLast((one) => one.at <= until && !wentOn(notes, partition, one));
  return restore ? notes.moves.slice(restore.moves).filter((move) => move.partition === partition) : [];
}

/** From when on what the store had forgotten runs again, in its order; 0: it had forgotten nothing before `until`. */
export const beganAnew = (trial: Trial, event: SimEvent, until: number): number => takenAnew(trial, event, until)[0]?.at ?? 0;

/**
 * A write of a runner that has not taken the partition since the store was put back: it lost a lease that the store knew nothing
 * of, and may write beside the next owner until it hears of that (ADR 0052).
 */
export function isOrphan(trial: Trial, event: SimEvent, { sentAt, at, by }: LandedWrite): boolean {
  const taken = takenAnew(trial, event, at);
  const isOwner = taken.some((move) => move.by === by && move.at <= sentAt);
  return !isOwner && taken.length > 0 && sentAt < taken[0]!.at + unheardMs;
}
