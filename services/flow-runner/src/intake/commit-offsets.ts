import type { KeyLanes } from '@sluice/key-lanes';
import type { Subscription } from '@sluice/ports';
import { failpoint } from '@sluice/service-kit';
import type { Unit } from '../units/unit';
import type { OwnedPartition } from './owned-partition';

/** Commits for each partition the offset below which every unit is finished or held, if it has changed. */
export async function commitOffsets(
  partitions: Iterable<OwnedPartition>,
  lanes: Pick<KeyLanes<Unit>, 'committable'>,
  subscription: Subscription | undefined,
): Promise<void> {
  const offsets: { entry: OwnedPartition; next: bigint }[] = [];
  for (const entry of partitions) {
    const next = lanes.committable(entry.partition);
    if (next !== null && next !== entry.lastCommitted) offsets.push({ entry, next });
  }
  if (offsets.length === 0 || !subscription) return;
  failpoint('before_commit');
  await subscription.commit(offsets.map(({ entry, next }) => ({ partition: entry.partition, next })));
  // Set only after the commit: a failed one is repeated, also when no new event comes.
  for (const { entry, next } of offsets) entry.lastCommitted = next;
}
