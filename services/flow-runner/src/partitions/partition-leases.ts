import type {
  MonotonicClock, OwnedLease, PartitionLease, PartitionOwnership, PartitionProgress, PartitionRef,
} from '@sluice/ports';
import { StoreUnavailable } from '@sluice/ports';
import { ByPartition } from './by-partition';

export interface PartitionLeasesOptions {
  ownership: PartitionOwnership;
  owner: string;
  /** How long a lease lasts, and how often all of them are renewed. */
  leaseMs: number;
  renewEveryMs: number;
  /**
   * How long a new owner waits after the lease of the former one ended. All times are of one database's clock, so this covers
   * only pauses.
   */
  graceMs: number;
  /** A single-process installation takes its own leases over at once. */
  takeOver: boolean;
  /** A clock in milliseconds that never goes back: a wall clock that is set back would prolong leases that have ended. */
  monotonicNow: MonotonicClock;
  sleep(ms: number): Promise<void>;
  /** Called once per lease that another owner holds now. */
  onLost(lease: PartitionLease): void;
  onError(error: unknown): void;
  /** The store has told its time, milliseconds since the epoch. */
  told(storeMs: number): void;
}

/**
 * The runner's ownership of partitions. Kafka cannot fence a CRM call: a call may start only when it can
 * end inside the lease, counted from the moment before the last successful renewal was asked for.
 */
export interface PartitionLeases {
  /** Waits until this process owns the partition; null when it gave up meanwhile. */
  acquire(ref: PartitionRef): Promise<PartitionLease | null>;
  /** Whether the former owner ended without releasing the partition. */
  takenUnclean(lease: PartitionLease): boolean;
  /** Up to which offset the partition is settled in the store; null: the store has no such offset. */
  settledOffset(lease: PartitionLease): bigint | null;
  /** From now on `settled` returns up to which offset the partition is settled; null: unknown. */
  follow(lease: PartitionLease, settled: () => bigint | null): void;
  /** Reads for the last time up to which offset it is settled: the partition is not followed any more. */
  endFollowing(ref: PartitionRef): void;
  /** These leases with the settled offsets and revisions of their partitions, to be stored with a settlement (ADR 0052). */
  known(leases: Iterable<PartitionLease>): OwnedLease[];
  /** The store has settled units of these partitions and answered with their revisions. */
  settled(revisions: readonly (PartitionLease & { revision: bigint })[]): void;
  /** Stops trying for a partition, or releases a held one at once. */
  release(ref: PartitionRef): Promise<void>;
  /**
   * Stops renewing a held lease, so that it expires: a call under way may still take effect, and it ends before the lease does.
   */
  abandon(ref: PartitionRef): void;
  /** Resolves true as soon as a call of `callMs` fits into the leases; false when no renewal succeeds in time. */
  fits(callMs: number): Promise<boolean>;
  /** True while this process holds the lease, as far as it knows. */
  holds(lease: PartitionLease): boolean;
  /** Since when this process holds it, by the monotonic clock; null: it does not. */
  since(lease: PartitionLease): number | null;
  held(): PartitionLease[];
  stop(): Promise<void>;
}

interface HeldLease {
  lease: PartitionLease;
  /** Until when this process certainly holds it, by the monotonic clock. */
  safeUntil: number;
  /** When the store had granted it, by the same clock: everything that the former owner stored can be read since then. */
  takenAt: number;
  unclean: boolean;
  progress: PartitionProgress;
  /** Up to which offset it is settled now; null before it is taken and after it is given up. */
  ask: (() => bigint | null) | null;
}

/** A lease with the present settled offset and revision of its partition. */
function knownOf(entry: HeldLease): OwnedLease {
  const settledOffset = entry.ask?.() ?? entry.progress.settledOffset;
  entry.progress = { ...entry.progress, settledOffset };
  return { ...entry.lease, ...entry.progress };
}

export function createPartitionLeases(options: PartitionLeasesOptions): PartitionLeases {
  /** Each lease with the time until which this process certainly holds it, counted from before it was asked for. */
  const held = new ByPartition<HeldLease>();
  const wanted = new ByPartition<symbol>();
  /**
   * The last lease of each partition that is not held any more: a restored store must not accept what is still settled under it.
   */
  const former = new ByPartition<HeldLease>();
  const drop = (ref: PartitionRef): void => {
    const entry = held.get(ref);
    if (entry) former.set(ref, Object.assign(entry, { ask: null }));
    held.delete(ref);
  };
  const formerOf = (lease: PartitionLease): HeldLease | undefined => {
    const entry = former.get(lease);
    return entry?.lease.epoch === lease.epoch ? entry : undefined;
  };
  const entryOf = (lease: PartitionLease): HeldLease | undefined => {
    const entry = held.get(lease);
    return entry?.lease.epoch === lease.epoch ? entry : undefined;
  };
  let stopping = false;
  let renewing: Promise<void> = Promise.resolve();

  const renewOnce = async (): Promise<void> => {
    const askedAt = options.monotonicNow();
    const asked = held.values();
    if (asked.length === 0) return;
    try {
      const { lost, storeMs } = await options.ownership.renew(options.owner, asked.map(knownOf), options.leaseMs);
      if (storeMs !== null) options.told(storeMs);
      for (const lease of lost) {
        if (held.get(lease)?.lease.epoch !== lease.epoch) continue;
        drop(lease);
        options.onLost(lease);
      }
      for (const entry of asked) entry.safeUntil = askedAt + options.leaseMs;
    } catch (error) {
      options.onError(error);
    }
  };
  const timer = setInterval(() => { renewing = renewing.then(renewOnce); }, options.renewEveryMs);
  timer.unref();

  const tryAcquire = async (ref: PartitionRef): Promise<HeldLease | { waitMs: number }> => {
    const askedAt = options.monotonicNow();
    try {
      const answer = await options.ownership.acquire(ref, {
        owner: options.owner,
        leaseMs: options.leaseMs,
        graceMs: options.graceMs,
        takeOver: options.takeOver,
      });
      if (!answer.acquired) return { waitMs: Math.min(answer.waitMs, 1_000) };
      options.told(answer.storeMs);
      const { epoch, unclean, settledOffset, revision } = answer;
      return {
        lease: { ...ref, epoch },
        takenAt: options.monotonicNow(),
        unclean,
        progress: { settledOffset, revision },
        ask: null,
        safeUntil: askedAt + options.leaseMs,
      };
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      options.onError(error);
      return { waitMs: 500 };
    }
  };

  return {
    acquire: async (ref) => {
      const wish = Symbol(`${ref.partition} ${ref.topic}`);
      wanted.set(ref, wish);
      while (wanted.get(ref) === wish && !stopping) {
        const answer = await tryAcquire(ref);
        if ('lease' in answer) {
          if (wanted.get(ref) !== wish || stopping) {
            await options.ownership.release(answer.lease).catch(options.onError);
            return null;
          }
          held.set(ref, answer);
          return answer.lease;
        }
        await options.sleep(Math.max(20, answer.waitMs));
      }
      return null;
    },
    release: async (ref) => {
      wanted.delete(ref);
      const entry = held.get(ref);
      if (!entry) return;
      const known = knownOf(entry);
      drop(ref);
      await options.ownership.release(known).catch(options.onError);
    },
    abandon: (ref) => {
      wanted.delete(ref);
      drop(ref);
    },
    fits: async (callMs) => {
      // A renewal is due every `renewEveryMs`: after two missed renewals the call does not wait any longer.
      const deadline = options.monotonicNow() + options.renewEveryMs * 3;
      while (held.values().some(({ safeUntil }) => options.monotonicNow() + callMs > safeUntil)) {
        if (options.monotonicNow() > deadline) return false;
        await options.sleep(50);
      }
      return held.values().length > 0;
    },
    takenUnclean: (lease) => held.get(lease)?.unclean === true,
    settledOffset: (lease) => entryOf(lease)?.progress.settledOffset ?? null,
    follow: (lease, settled) => {
      const entry = entryOf(lease);
      if (entry) entry.ask = settled;
    },
    endFollowing: (ref) => {
      const entry = held.get(ref);
      if (!entry) return;
      knownOf(entry);
      entry.ask = null;
    },
    known: (asked) => [...asked].map((lease) => {
      const entry = entryOf(lease) ?? formerOf(lease);
      return entry ? knownOf(entry) : lease;
    }),
    settled: (revisions) => {
      for (const { revision, ...lease } of revisions) {
        const entry = entryOf(lease) ?? formerOf(lease);
        if (entry && revision > entry.progress.revision) entry.progress = { ...entry.progress, revision };
      }
    },
    holds: (lease) => entryOf(lease) !== undefined,
    since: (lease) => entryOf(lease)?.takenAt ?? null,
    held: () => held.values().map(({ lease }) => lease),
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      await renewing;
      await Promise.all(held.values().map((entry) => options.ownership.release(knownOf(entry)).catch(options.onError)));
      held.clear();
    },
  };
}
