import type { KeyLanes } from '@sluice/key-lanes';
import type { Subscription } from '@sluice/ports';
import type { Unit } from '../units/unit';
import type { OwnedPartition } from './owned-partition';

/** How soon a partition that waits for room is looked at again. */
const lookMs = 20;

export interface PartitionRoomDeps {
  lanes: Pick<KeyLanes<Unit>, 'shouldPause' | 'shouldResume'>;
  all(): Iterable<OwnedPartition>;
  subscription(): Pick<Subscription, 'pause' | 'resume'> | undefined;
  stopping(): boolean;
  sleep(ms: number): Promise<void>;
}

/** Keeps partitions from being fetched, and what was fetched from being taken in, while they have enough in memory. */
export interface PartitionRoom {
  /** Waits until the partition may have more. False: given up meanwhile. */
  of(entry: OwnedPartition): Promise<boolean>;
  pauseWhenFull(entry: OwnedPartition): void;
  resumePaused(): void;
}

export function createPartitionRoom({ lanes, all, subscription, stopping, sleep }: PartitionRoomDeps): PartitionRoom {
  return {
    of: async (entry) => {
      const wanted = (): boolean => !entry.revoked && !stopping();
      while (wanted() && lanes.shouldPause(entry.partition)) await sleep(lookMs);
      return wanted();
    },
    pauseWhenFull: (entry) => {
      if (entry.paused || !lanes.shouldPause(entry.partition)) return;
      entry.paused = true;
      subscription()?.pause(entry.partition);
    },
    resumePaused: () => {
      for (const entry of all()) {
        if (!entry.paused || !lanes.shouldResume(entry.partition)) continue;
        entry.paused = false;
        subscription()?.resume(entry.partition);
      }
    },
  };
}
