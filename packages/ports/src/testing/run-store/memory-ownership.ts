import type { OwnedLease, PartitionOwnership, PartitionProgress } from '../../run-store/run-store';
import type { PartitionRef } from '../../run-store/partition-ref';

interface Owned {
  owner: string;
  epoch: bigint;
  leaseUntil: number;
  released: boolean;
}

type AcquireOptions = Parameters<PartitionOwnership['acquire']>[1];

const higher = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** `PartitionOwnership` in memory, without waiting. */
export function memoryOwnership(now: () => number) {
  let owned = new Map<string, Owned>();
  let stored = new Map<string, PartitionProgress>();
  const keyOf = ({ topic, partition }: PartitionRef): string => `${partition} ${topic}`;
  const current = (lease: OwnedLease): Owned | undefined => {
    const entry = owned.get(keyOf(lease));
    return entry?.epoch === lease.epoch && (stored.get(keyOf(lease))?.revision ?? 0n) >= (lease.revision ?? 0n)
      ? entry
      : undefined;
  };
  const keep = (lease: OwnedLease, settles: 0n | 1n): bigint => {
    const { settledOffset, revision } = stored.get(keyOf(lease)) ?? { settledOffset: null, revision: 0n };
    const told = lease.settledOffset ?? null;
    stored.set(keyOf(lease), {
      settledOffset: settledOffset !== null && told !== null ? higher(settledOffset, told) : (settledOffset ?? told),
      revision: revision + settles,
    });
    return revision + settles;
  };
  return {
    acquire(
      ref: PartitionRef,
      { owner, leaseMs, graceMs, takeOver = false }: AcquireOptions,
    ): Awaited<ReturnType<PartitionOwnership['acquire']>> {
      const entry = owned.get(keyOf(ref));
      const waitMs = entry && !entry.released && !(takeOver && entry.owner === owner) ? entry.leaseUntil + graceMs - now() : 0;
      if (waitMs > 0) return { acquired: false, waitMs };
      const epoch = higher((entry?.epoch ?? 0n) + 1n, BigInt(Math.floor(now())));
      owned.set(keyOf(ref), { owner, epoch, leaseUntil: now() + leaseMs, released: false });
      const progress = stored.get(keyOf(ref)) ?? { settledOffset: 0n, revision: 0n };
      stored.set(keyOf(ref), progress);
      return { acquired: true, epoch, unclean: entry !== undefined && !entry.released, storeMs: now(), ...progress };
    },
    renew(owner: string, leases: readonly OwnedLease[], leaseMs: number): Awaited<ReturnType<PartitionOwnership['renew']>> {
      const lost = leases.filter((lease) => {
        const entry = current(lease);
        if (!entry || entry.owner !== owner || entry.released) return true;
        entry.leaseUntil = now() + leaseMs;
        keep(lease, 0n);
        return false;
      });
      return {
        lost: lost.map(({ topic, partition, epoch }) => ({ topic, partition, epoch })),
        storeMs: leases.length === 0 ? null : now(),
      };
    },
    release(lease: OwnedLease): void {
      const fenced = current({ ...lease, revision: 0n });
      if (current(lease)) keep(lease, 0n);
      if (fenced) fenced.released = true;
    },
    isCurrent: (lease: OwnedLease): boolean => current(lease) !== undefined,
    /** A settle of the partition. @returns its new revision */
    settled: (lease: OwnedLease): bigint => keep(lease, 1n),
    backup(): () => void {
      const [owners, progress] = [structuredClone(owned), structuredClone(stored)];
      return () => {
        [owned, stored] = [structuredClone(owners), structuredClone(progress)];
      };
    },
  };
}
