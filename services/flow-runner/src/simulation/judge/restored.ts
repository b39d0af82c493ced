import { lanePartition } from '@sluice/contracts';
import type { LandedWrite } from '../crm-log';
import { simPartitions, type SimEvent } from '../sim-traffic';
import type { Trial } from './trial';

/** So long a runner goes on before it hears that the store was put back. */
const unheardMs = 4_000;

type Move = Trial['notes']['moves'][number];

/** When the partition of an event was taken after the store had been put back for the last time before `until`, in order. */
function takenAnew({ notes }: Trial, { envelope }: SimEvent, until: number): Move[] {
  const restore = notes.restores.findLast(({ at }) => at <= until);
  const partition = lanePartition(envelope.connector_id, '', 1, simPartitions);
  return restore ? notes.moves.filter((move) => move.partition === partition && move.at >= restore.at) : [];
}

/** From when on what the store had forgotten runs again, in its order; 0: the store was not put back before `until`. */
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
