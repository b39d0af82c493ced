import type { PartitionLease, PartitionOwnership, PartitionRef } from '../run-store';

interface Owned {
  owner: string;
  epoch: bigint;
  leaseUntil: number;
  released: boolean;
}

type AcquireOptions = Parameters<PartitionOwnership['acquire']>[1];

/** Partition leases in memory: what `PartitionOwnership` says, without waiting. */
export function memoryOwnership(now: () => number) {
  const owned = new Map<string, Owned>();
  const keyOf = ({ topic, partition }: PartitionRef): string => `${partition} ${topic}`;
  const current = (lease: PartitionLease): Owned | undefined => {
    const entry = owned.get(keyOf(lease));
    return entry?.epoch === lease.epoch ? entry : undefined;
  };
  return {
    acquire(ref: PartitionRef, { owner, leaseMs, graceMs, takeOver = false }: AcquireOptions): Awaited<ReturnType<PartitionOwnership['acquire']>> {
      const entry = owned.get(keyOf(ref));
      const waitMs = entry && !entry.released && !(takeOver && entry.owner === owner) ? entry.leaseUntil + graceMs - now() : 0;
      if (waitMs > 0) return { acquired: false, waitMs };
      const epoch = (entry?.epoch ?? 0n) + 1n;
      owned.set(keyOf(ref), { owner, epoch, leaseUntil: now() + leaseMs, released: false });
      return { acquired: true, epoch, unclean: entry !== undefined && !entry.released };
    },
    renew(owner: string, leases: readonly PartitionLease[], leaseMs: number): PartitionLease[] {
      return leases.filter((lease) => {
        const entry = current(lease);
        if (!entry || entry.owner !== owner || entry.released) return true;
        entry.leaseUntil = now() + leaseMs;
        return false;
      });
    },
    release(lease: PartitionLease): void {
      const entry = current(lease);
      if (entry) entry.released = true;
    },
    epochOf: (ref: PartitionRef): bigint | undefined => owned.get(keyOf(ref))?.epoch,
  };
}
