import type {
  AcquireOptions, DeadOwner, OwnedLease, PartitionOwnership, PartitionProgress,
} from '../../run-store/partition-ownership';
import type { PartitionRef } from '../../run-store/partition-ref';
import { type MemorySession, memorySessions } from './memory-sessions';

interface Owned extends Renewal {
  ref: PartitionRef;
  owner: string;
  epoch: bigint;
  released: boolean;
}

interface Renewal {
  leaseUntil: number;
  session: number;
  renewedAt: number;
  callsEndMs: number | null;
}

const higher = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** A process's connection to a store in memory. */
export interface MemoryConnection {
  ownership: PartitionOwnership;
  /** Ends its session, as the death of the process does. A living process connects again when it asks next. */
  end(): void;
}

/** `PartitionOwnership` in memory. */
export function memoryOwnership(now: () => number) {
  let owned = new Map<string, Owned>();
  let stored = new Map<string, PartitionProgress>();
  const sessions = memorySessions(now);
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
  const renewal = ({ id }: MemorySession, leaseMs: number, callsEndMs: number | null = null): Renewal => (
    { leaseUntil: now() + leaseMs, session: id, renewedAt: now(), callsEndMs }
  );
  /** Whether the owner's session is gone, for one who has been connected since before its last renewal. */
  const isGone = ({ session, renewedAt }: Owned, asking: MemorySession): boolean =>
    !sessions.isOpen(session) && asking.since < renewedAt;
  const freeAt = (entry: Owned, graceMs: number, asking: MemorySession): number => {
    const afterLease = entry.leaseUntil + graceMs;
    const { renewedAt, callsEndMs } = entry;
    return callsEndMs !== null && isGone(entry, asking) ? Math.min(afterLease, renewedAt + callsEndMs) : afterLease;
  };
  const answers = {
    acquire(
      session: MemorySession,
      ref: PartitionRef,
      { owner, leaseMs, graceMs, takeOver = false, callsEndMs }: AcquireOptions,
    ): Awaited<ReturnType<PartitionOwnership['acquire']>> {
      const entry = owned.get(keyOf(ref));
      const waitMs = entry && !entry.released && !(takeOver && entry.owner === owner)
        ? freeAt(entry, graceMs, session) - now() : 0;
      if (waitMs > 0) return { acquired: false, waitMs };
      const epoch = higher((entry?.epoch ?? 0n) + 1n, BigInt(Math.floor(now())));
      const { topic, partition } = ref;
      const begun = renewal(session, leaseMs, callsEndMs);
      owned.set(keyOf(ref), { ref: { topic, partition }, owner, epoch, released: false, ...begun });
      const progress = stored.get(keyOf(ref)) ?? { settledOffset: 0n, revision: 0n };
      stored.set(keyOf(ref), progress);
      return { acquired: true, epoch, unclean: entry !== undefined && !entry.released, storeMs: now(), ...progress };
    },
    renew(
      session: MemorySession, ...[owner, leases, leaseMs, callsEndMs]: Parameters<PartitionOwnership['renew']>
    ): Awaited<ReturnType<PartitionOwnership['renew']>> {
      const lost = leases.filter((lease) => {
        const entry = current(lease);
        if (!entry || entry.owner !== owner || entry.released) return true;
        Object.assign(entry, renewal(session, leaseMs, callsEndMs));
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
    deadOwners(session: MemorySession, silentMs: number): DeadOwner[] {
      const dead = new Map<string, DeadOwner>();
      for (const entry of owned.values()) {
        const { owner, ref, renewedAt } = entry;
        const isSilent = renewedAt + silentMs <= now();
        if (entry.released || entry.leaseUntil <= now() || !isSilent || !isGone(entry, session)) continue;
        const before = dead.get(owner);
        const silent = now() - renewedAt;
        dead.set(owner, {
          owner, silentMs: Math.min(silent, before?.silentMs ?? silent), partitions: [...(before?.partitions ?? []), ref],
        });
      }
      return [...dead.values()];
    },
  };
  return {
    /** @param up does the work, as long as the store answers */
    connect(up: <T>(work: () => T) => Promise<T>): MemoryConnection {
      const { current, end } = sessions.connect();
      const ownership: PartitionOwnership = {
        acquire: (...input) => up(() => answers.acquire(current(), ...input)),
        renew: (...input) => up(() => answers.renew(current(), ...input)),
        release: (lease) => up(() => answers.release(lease)),
        deadOwners: (silentMs) => up(() => answers.deadOwners(current(), silentMs)),
      };
      return { ownership, end };
    },
    /** The store restarts. */
    endSessions: sessions.endAll,
    isCurrent: (lease: OwnedLease): boolean => current(lease) !== undefined,
    /** A settle of the partition. @returns its new revision */
    settled: (lease: OwnedLease): bigint => keep(lease, 1n),
    backup(): () => void {
      const [owners, progress] = [structuredClone(owned), structuredClone(stored)];
      return () => {
        [owned, stored] = [structuredClone(owners), structuredClone(progress)];
        sessions.endAll();
      };
    },
  };
}
