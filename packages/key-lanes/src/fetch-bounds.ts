import type { KeyLanesBounds } from './key-lanes-options';
import type { PartitionLog } from './lane-model';
import type { Totals } from './partitions';

/** Whether fetching of an owned partition has to pause: it is at or above a bound. */
export function mustPause(log: PartitionLog<unknown>, all: Totals, bounds: KeyLanesBounds): boolean {
  const isOver = all.unfinished >= bounds.maxTotal && log.unfinished >= bounds.maxTotal / all.owned;
  const isHeavy = all.bytes >= bounds.maxTotalBytes && log.bytes >= bounds.maxTotalBytes / all.owned;
  if (isHeavy || log.bytes >= bounds.maxBytes) return true;
  return isOver || log.unfinished >= bounds.maxBuffered || log.window >= bounds.maxWindow;
}

/** Whether fetching of an owned partition may go on after a pause: it is at or below half of every bound. */
export function mayResume(log: PartitionLog<unknown>, all: Totals, bounds: KeyLanesBounds): boolean {
  const isBelow = all.unfinished <= bounds.maxTotal / 2 || log.unfinished <= bounds.maxTotal / all.owned / 2;
  const isLight = all.bytes <= bounds.maxTotalBytes / 2 || log.bytes <= bounds.maxTotalBytes / all.owned / 2;
  if (!isLight || log.bytes > bounds.maxBytes / 2) return false;
  return isBelow && log.unfinished <= bounds.maxBuffered / 2 && log.window <= bounds.maxWindow / 2;
}
