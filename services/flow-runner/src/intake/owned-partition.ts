import type { PartitionLease } from '@sluice/ports';
import type { UnfinishedUnits } from './unfinished-units';

/** One partition given to this runner by its group, from assignment to revocation. */
export interface OwnedPartition {
  topic: string;
  partition: number;
  /** Resolves with the lease once this runner owns the partition and knows its held scopes; null when it was revoked before. */
  ready: Promise<PartitionLease | null>;
  /** The epoch of the ownership; null before it begins. */
  epoch: bigint | null;
  revoked: boolean;
  /** Where the log ended when the partition was taken: the offset of the next message. */
  logEnd: bigint;
  /** Everything from this offset on is read again: the log has given known offsets to other messages. null: as usual. */
  readFrom: bigint | null;
  /** It is read from before the group's committed offset: messages fetched before it was taken come again. */
  rewound: boolean;
  /** When fetching was paused, or its backlog was last relieved; null: it is fetched. Monotonic milliseconds. */
  pausedAt: number | null;
  /** How many units were unfinished at `pausedAt`, without those that were moved to the held store then. */
  pausedWith: number;
  lastCommitted: bigint | null;
  /** Units fetched and not finished: a repeat of one is dropped. */
  unfinished: UnfinishedUnits;
}
