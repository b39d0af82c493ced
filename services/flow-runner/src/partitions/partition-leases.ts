import type {
  CallLeases, MonotonicClock, OwnedLease, PartitionLease, PartitionOwnership, PartitionProgress, PartitionRef,
} from '@sluice/ports';
import { StoreUnavailable } from '@sluice/ports';
import { ByPartition } from './by-partition';
import type { CallTimes } from './call-times';

export interface PartitionLeasesOptions {
  ownership: PartitionOwnership;
  owner: string;
  /** How long a lease lasts, and how often all of them are renewed. */
  leaseMs: number;
  renewEveryMs: number;
  /** For how long after a renewal calls may start: without a further one, others may think that this process has died. */
  startWithinMs: number;
  /**
   * How long a new owner waits after the lease of the former one ended. All times are of one database's clock, so this covers
   * only pauses.
   */
  graceMs: number;
  /** A single-process installation takes its own leases over at once. */
  takeOver: boolean;
  /** How long calls take. */
  calls: CallTimes;
  /** A clock in milliseconds that never goes back: a wall clock that is set back would prolong leases that have ended. */
  monotonicNow: MonotonicClock;
  sleep(ms: number): Promise<void>;
  /** Called once per lease that another owner holds now. */
  onLost(lease: PartitionLease): void;
  onError(error: unknown): void;
  /** The store has told its time, milliseconds since the epoch. */
  told(storeMs: number): void;
}

interface Ownership {
  lease: PartitionLease;
  /** When it was asked for or renewed, by the monotonic clock: the lease lasts at least `leaseMs` from then on. */
  askedAt: number;
  /** When the store had granted it, by the same clock: everything that the former owner stored can be read since then. */
  takenAt: number;
  /** Whether the former owner ended without releasing the partition. */
  unclean: boolean;
  progress: PartitionProgress;
  /** Up to which offset the partition is settled now; null: it is not followed. */
  ask: (() => bigint | null) | null;
}

/** How soon a renewal that failed is tried again. */
const retryMs = 500;

/**
 * The runner's ownership of partitions. Kafka cannot fence a CRM call: a call may start only when it can
 * end inside the lease, and soon after a renewal, counted from the moment before the last successful renewal was asked for.
 *
 * Invariants:
 * - The leases in `owned` are those that this process renews, at most one of a partition. It enters when the store grants it, and
 *   leaves when it is released or abandoned or when another owner has it; then it is the one in `former`.
 * - `wanted` has the last wish for each partition. An `acquire` whose wish is no longer there gives back what it is granted.
 * - At most one renewal is under way.
 */
export class PartitionLeases {
  private readonly owned = new ByPartition<Ownership>();
  /** Not owned any more: a restored store must not accept what is still settled under one of them. */
  private readonly former = new ByPartition<Ownership>();
  private readonly wanted = new ByPartition<symbol>();
  private readonly timer: NodeJS.Timeout;
  private retry: NodeJS.Timeout | undefined;
  private renewing: Promise<void> | undefined;
  /** Whether a renewal became due while one was under way. */
  private due = false;
  /** Whether the last renewal failed. */
  private failing = false;
  private stopping = false;

  /** Renews from now on, until `stop`. */
  constructor(private readonly options: PartitionLeasesOptions) {
    this.timer = setInterval(() => this.renewNow(), options.renewEveryMs);
    this.timer.unref();
  }

  /** Waits until this process owns the partition; null when it gave up meanwhile. */
  async acquire(ref: PartitionRef): Promise<PartitionLease | null> {
    const wish = Symbol(`${ref.partition} ${ref.topic}`);
    const isWanted = (): boolean => this.wanted.get(ref) === wish && !this.stopping;
    this.wanted.set(ref, wish);
    while (isWanted()) {
      const answer = await this.tryAcquire(ref);
      if ('waitMs' in answer) {
        await this.options.sleep(Math.max(20, answer.waitMs));
      } else if (isWanted()) {
        this.owned.set(ref, answer);
        return answer.lease;
      } else {
        await this.releaseInStore(answer.lease);
      }
    }
    return null;
  }

  private async tryAcquire(ref: PartitionRef): Promise<Ownership | { waitMs: number }> {
    const { ownership, owner, leaseMs, graceMs, takeOver, monotonicNow, told, onError } = this.options;
    const askedAt = monotonicNow();
    try {
      const answer = await ownership.acquire(ref, { owner, leaseMs, graceMs, takeOver, callsEndMs: this.callsEndMs() });
      if (!answer.acquired) return { waitMs: Math.min(answer.waitMs, 1_000) };
      told(answer.storeMs);
      const { epoch, unclean, settledOffset, revision } = answer;
      const progress = { settledOffset, revision };
      return { lease: { ...ref, epoch }, takenAt: monotonicNow(), unclean, progress, ask: null, askedAt };
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      onError(error);
      return { waitMs: 500 };
    }
  }

  private renewNow(): void {
    this.due = true;
    this.renewing ??= this.renewWhileDue().finally(() => { this.renewing = undefined; });
  }

  private async renewWhileDue(): Promise<void> {
    while (this.due) {
      this.due = false;
      await this.renew();
    }
  }

  /** How long after a renewal calls may be under way, if this process dies before the next one; null: nobody knows. */
  private callsEndMs(): number | null {
    const expectedMs = this.options.calls.expectedMs();
    return expectedMs === null ? null : Math.ceil(this.options.startWithinMs + expectedMs);
  }

  private async renew(): Promise<void> {
    const { ownership, owner, leaseMs, monotonicNow, told, onLost, onError } = this.options;
    clearTimeout(this.retry);
    const askedAt = monotonicNow();
    const asked = this.owned.values();
    if (asked.length === 0) return;
    try {
      const { lost, storeMs } = await ownership.renew(owner, asked.map(knownOf), leaseMs, this.callsEndMs());
      if (storeMs !== null) told(storeMs);
      for (const lease of lost) {
        if (!this.holds(lease)) continue;
        this.drop(lease);
        onLost(lease);
      }
      for (const entry of asked) entry.askedAt = askedAt;
      this.failing = false;
    } catch (error) {
      if (!this.failing) onError(error);
      this.failing = true;
      if (!this.stopping) this.retry = setTimeout(() => this.renewNow(), retryMs).unref();
    }
  }

  /** Stops trying for a partition, or releases an owned one at once. */
  async release(ref: PartitionRef): Promise<void> {
    this.wanted.delete(ref);
    const entry = this.owned.get(ref);
    if (!entry) return;
    const known = knownOf(entry);
    this.drop(ref);
    await this.releaseInStore(known);
  }

  /**
   * Stops renewing a lease, so that it expires: a call under way may still take effect, and it ends before the lease does.
   */
  abandon(ref: PartitionRef): void {
    this.wanted.delete(ref);
    this.drop(ref);
  }

  /** Resolves true as soon as a call of `callMs` fits into the leases; false when no renewal succeeds in time. */
  async fits(callMs: number): Promise<boolean> {
    const { monotonicNow, renewEveryMs, leaseMs, startWithinMs, sleep } = this.options;
    const withinMs = Math.min(startWithinMs, leaseMs - callMs);
    // A renewal is due every `renewEveryMs`: after two missed renewals the call does not wait any longer.
    const deadline = monotonicNow() + renewEveryMs * 3;
    while (this.owned.values().some(({ askedAt }) => monotonicNow() > askedAt + withinMs)) {
      if (monotonicNow() > deadline) return false;
      await sleep(50);
    }
    return this.owned.values().length > 0;
  }

  /** What calls need of the leases. */
  forCalls(): CallLeases {
    return { insideLease: (callMs) => this.fits(callMs), callStarted: () => this.options.calls.started() };
  }

  /** True while this process owns the partition under the lease, as far as it knows. */
  holds(lease: PartitionLease): boolean {
    return sameEpoch(this.owned.get(lease), lease) !== undefined;
  }

  held(): PartitionLease[] {
    return this.owned.values().map(({ lease }) => lease);
  }

  /** Since when this process has the lease, by the monotonic clock; null: it does not. */
  since(lease: PartitionLease): number | null {
    return sameEpoch(this.owned.get(lease), lease)?.takenAt ?? null;
  }

  /** Whether the former owner ended without releasing the partition. */
  takenUnclean(lease: PartitionLease): boolean {
    return this.owned.get(lease)?.unclean === true;
  }

  /** Up to which offset the partition is settled in the store; null: the store has no such offset. */
  settledOffset(lease: PartitionLease): bigint | null {
    return sameEpoch(this.owned.get(lease), lease)?.progress.settledOffset ?? null;
  }

  /** From now on `settled` returns up to which offset the partition is settled; null: unknown. */
  follow(lease: PartitionLease, settled: () => bigint | null): void {
    const entry = sameEpoch(this.owned.get(lease), lease);
    if (entry) entry.ask = settled;
  }

  /** Reads for the last time up to which offset it is settled: the partition is not followed any more. */
  endFollowing(ref: PartitionRef): void {
    const entry = this.owned.get(ref);
    if (!entry) return;
    knownOf(entry);
    entry.ask = null;
  }

  /** These leases with the settled offsets and revisions of their partitions, to be stored with a settlement (ADR 0052). */
  known(leases: Iterable<PartitionLease>): OwnedLease[] {
    return [...leases].map((lease) => {
      const entry = this.lastOf(lease);
      return entry ? knownOf(entry) : lease;
    });
  }

  /** The store has settled units of these partitions and answered with their revisions. */
  settled(revisions: readonly (PartitionLease & { revision: bigint })[]): void {
    for (const { revision, ...lease } of revisions) {
      const entry = this.lastOf(lease);
      if (entry && revision > entry.progress.revision) entry.progress = { ...entry.progress, revision };
    }
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    clearTimeout(this.retry);
    this.due = false;
    await this.renewing;
    await Promise.all(this.owned.values().map((entry) => this.releaseInStore(knownOf(entry))));
    this.owned.clear();
  }

  private releaseInStore(lease: OwnedLease): Promise<void> {
    return this.options.ownership.release(lease).catch(this.options.onError);
  }

  private drop(ref: PartitionRef): void {
    const entry = this.owned.get(ref);
    if (entry) this.former.set(ref, Object.assign(entry, { ask: null }));
    this.owned.delete(ref);
  }

  /** What is known of this lease: it is owned, or was. */
  private lastOf(lease: PartitionLease): Ownership | undefined {
    return sameEpoch(this.owned.get(lease), lease) ?? sameEpoch(this.former.get(lease), lease);
  }
}

function sameEpoch(entry: Ownership | undefined, { epoch }: PartitionLease): Ownership | undefined {
  return entry?.lease.epoch === epoch ? entry : undefined;
}

/** A lease with the present settled offset and revision of its partition. */
function knownOf(entry: Ownership): OwnedLease {
  const settledOffset = entry.ask?.() ?? entry.progress.settledOffset;
  entry.progress = { ...entry.progress, settledOffset };
  return { ...entry.lease, ...entry.progress };
}
