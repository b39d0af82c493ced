import type { PartitionLease } from '@sluice/ports';
import type { InHand } from './in-hand';

/** One partition given to this runner by its group, from assignment to revocation. */
export interface OwnedPartition {
  topic: string;
  partition: number;
  /** Resolves with the lease once the partition is ours and its held scopes are known; null when it was taken away before. */
  ready: Promise<PartitionLease | null>;
  /** Epoch under which it is ours; null until it is. */
  epoch: bigint | null;
  revoked: boolean;
  /** It is read from before the group's offset: what was fetched until it was taken comes again. */
  rewound: boolean;
  paused: boolean;
  lastCommitted: bigint | null;
  /** Units fetched and not finished: a repeat of one is dropped, the first goes its way. */
  inHand: InHand;
}
