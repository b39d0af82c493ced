import type { Fence, Logger, MonotonicClock, TaskStore } from '@sluice/ports';
import { createTicker, type Ticker } from '@sluice/service-kit';

/** A lease of this process. */
export interface Lease {
  fence: Fence;
  leaseMs: number;
  /** Monotonic milliseconds at which it ends unless it is renewed. */
  endsAt: number;
  /** Ends the run: its lease has ended or was lost. */
  abort(): void;
}

/** A run stops this part of its lease before the lease ends, so that a call that it has just begun ends inside. */
const reserve = 0.1;
const looksPerLease = 4;

/**
 * Keeps the leases of the runs under way. A lease is counted from the moment before it was asked for, so this process takes it
 * for ended before the store does.
 */
export class Leases {
  private readonly held = new Set<Lease>();
  private readonly renewals: Ticker;
  /** Beside the renewals, which may wait for the store for longer than a lease lasts. */
  private readonly ends: Ticker;
  private failing = false;

  constructor(private readonly deps: {
    tasks: Pick<TaskStore, 'renew'>; owner: string; monotonicNow: MonotonicClock; logger: Logger; shortestMs: number;
  }) {
    const { shortestMs, logger } = deps;
    const every = (name: string, everyMs: number, run: () => Promise<void>): Ticker =>
      createTicker({ name, everyMs, run, logger, immediately: false });
    this.renewals = every('renewing leases of background runs', shortestMs / looksPerLease, () => this.renew());
    this.ends = every('ending leases of background runs', shortestMs * reserve / 2, async () => this.endOverdue());
  }

  start(): void {
    this.renewals.start();
    this.ends.start();
  }

  /** Does not wait for a renewal that the store has not answered: nothing runs any more. */
  async stop(): Promise<void> {
    void this.renewals.stop();
    await this.ends.stop();
  }

  /** Whether a call that begins now is inside of the lease. */
  isSafe({ endsAt, leaseMs }: Lease): boolean {
    return this.deps.monotonicNow() < endsAt - leaseMs * reserve;
  }

  keep(lease: Lease): void {
    this.held.add(lease);
  }

  forget(lease: Lease): void {
    this.held.delete(lease);
  }

  private endOverdue(): void {
    for (const lease of this.held) if (!this.isSafe(lease)) lease.abort();
  }

  /** Renews what has used up a quarter of its lease; ends what is lost. */
  private async renew(): Promise<void> {
    const { tasks, owner, monotonicNow, logger } = this.deps;
    const askedAt = monotonicNow();
    const due = [...this.held].filter(({ endsAt, leaseMs }) => endsAt - askedAt < leaseMs * (1 - 1 / looksPerLease));
    if (due.length === 0) return;
    try {
      const lost = await tasks.renew(owner, due.map(({ fence, leaseMs }) => ({ ...fence, leaseMs })));
      for (const lease of due) {
        if (lost.some((one) => isSame(one, lease.fence))) lease.abort();
        else lease.endsAt = Math.max(lease.endsAt, askedAt + lease.leaseMs);
      }
      this.failing = false;
    } catch (error) {
      if (!this.failing) logger.warn('leases of background runs could not be renewed', { error });
      this.failing = true;
    }
  }
}

const isSame = (one: Fence, other: Fence): boolean =>
  one.worker === other.worker && one.key === other.key && one.epoch === other.epoch;
