import { lanePartition } from '@sluice/contracts';
import type { LandedWrite } from '../crm-log';
import { simPartitions, type SimEvent } from '../sim-traffic';
import type { Trial } from './trial';

/** So long a runner goes on before it hears that the store was put back. */
const unheardMs = 4_000;

/** The first time that the partition of an event was taken after the store had been put back, before `until`. */
function firstTaken({ notes }: Trial, { envelope }: SimEvent, until: number): Trial['notes']['moves'][number] | undefined {
  const restore = notes.restores.findLast(({ at }) => at <= until);
  const partition = lanePartition(envelope.connector_id, '', 1, simPartitions);
  return restore && notes.moves.find((move) => move.partition === partition && move.at >= restore.at);
}

/** From when on what the store had forgotten runs again, in its order; 0: the store was not put back before `until`. */
export const beganAnew = (trial: Trial, event: SimEvent, until: number): number => firstTaken(trial, event, until)?.at ?? 0;

/**
 * A write of a runner that owned the partition before the store was put back, and lost a lease that the store knew nothing of: it may
 * land beside those of the next owner (docs/adr/0052).
 */
export function isOrphan(trial: Trial, event: SimEvent, { sentAt, at, by }: LandedWrite): boolean {
  const taken = firstTaken(trial, event, at);
  return taken !== undefined && (sentAt < taken.at || (sentAt < taken.at + unheardMs && by !== taken.by));
}
