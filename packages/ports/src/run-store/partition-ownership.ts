import type { PartitionRef } from './partition-ref';

export interface PartitionLease extends PartitionRef {
  epoch: bigint;
}

/**
 * Up to which offset a partition is settled, stored in the transaction of each settlement (ADR 0052). The offset in the log may
 * be ahead of a database that was restored, or that failed over to a replica without the last transactions.
 */
export interface PartitionProgress {
  /** Everything below it is settled or held; null: unknown. */
  settledOffset: bigint | null;
  /**
   * Raised by every settle of the partition: a store that answers with a lower one than before was restored to an earlier state.
   */
  revision: bigint;
}

/** What the owner knows of the partition. Absent: unknown, and nothing is compared or stored. */
export type OwnedLease = PartitionLease & Partial<PartitionProgress>;

/** How an owner asks for a partition. */
export interface AcquireOptions {
  owner: string;
  leaseMs: number;
  /** How long after the end of another owner's lease the partition is free. */
  graceMs: number;
  /** The same single-process installation restarts and takes its own leases over at once (owner must match). Default: false. */
  takeOver?: boolean;
  /** As for `renew`. */
  callsEndMs?: number | null;
}

/** An owner whose session is gone, as the store sees it. */
export interface DeadOwner {
  owner: string;
  /** Milliseconds since its last renewal. */
  silentMs: number;
  /** What it still owns. */
  partitions: PartitionRef[];
}

/**
 * Fencing of outside effects per partition: Kafka cannot fence a CRM call, this row can (docs/architecture.md).
 *
 * The store knows the session of each owner: the connection on which it last asked for a lease. When a process dies its sessions
 * end, while those of one that is frozen or cut off stay. A session that is gone proves nothing when everybody who asks has
 * connected after the owner's last renewal: the store itself may have restarted or failed over meanwhile.
 */
export interface PartitionOwnership {
  /**
   * Takes the partition with a new, higher epoch, never used before, also not by a store that was restored, when it is free,
   * released, its lease plus `graceMs` has passed, or its owner's session is gone and the owner's `callsEndMs` have passed since
   * its last renewal. In the answer, `unclean`: the last owner ended without releasing the partition; `storeMs`: the store's
   * time, milliseconds since the epoch.
   */
  acquire(ref: PartitionRef, options: AcquireOptions): Promise<
    | ({ acquired: true; epoch: bigint; unclean: boolean; storeMs: number } & PartitionProgress)
    | { acquired: false; waitMs: number }
  >;
  /**
   * Prolongs leases of `owner` and stores up to which offset they are settled.
   * @param callsEndMs how long after this renewal calls of the owner may be under way if none follows: then the partitions may be
   *   taken from an owner that died. Default null: not known, only the lease counts
   * @returns the lost ones, also those lost because the store was restored, and the store's time; null: it was not asked
   */
  renew(
    owner: string, leases: readonly OwnedLease[], leaseMs: number, callsEndMs?: number | null,
  ): Promise<{ lost: PartitionLease[]; storeMs: number | null }>;
  release(lease: OwnedLease): Promise<void>;
  /** The owners whose session is gone, that have not renewed for `silentMs`, and whose leases last. */
  deadOwners(silentMs: number): Promise<DeadOwner[]>;
}
