import { LRUCache } from 'lru-cache';

export interface RateGateOptions {
  /** What one organization may use a second while the service is busy. */
  perSecond: number;
  /** Whether the service is busy with what others than the organization do. */
  isBusy(organizationId: string): boolean;
  /** Called when an organization that had to wait may go on. */
  resume(): void;
  /** Monotonic milliseconds. */
  now?(): number;
}

interface Patience {
  /** An organization may be ahead of its rate by so much. Milliseconds. */
  aheadMs: number;
  /** It waits no longer than this, whatever it has used. Milliseconds. */
  longestMs: number;
}

/** The longest time until it is looked at again whether the service is still busy, milliseconds. */
const lookAgainMs = 250;

/**
 * Bounds what the functions of one organization use of something that all organizations share. What an invocation uses is known
 * when it was used, so it delays the next ones of its organization. While the service has time, nobody waits.
 */
export class RateGate {
  /** Until when an organization has used up its rate. */
  private readonly usedUntil = new LRUCache<string, number>({ max: 10_000 });
  private readonly now: () => number;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly options: RateGateOptions, private readonly patience: Patience) {
    this.now = options.now ?? (() => performance.now());
  }

  /** How long the organization may begin no invocation while the service stays busy. Milliseconds; 0: it may. */
  waitMs(organizationId: string): number {
    return Math.max(0, (this.usedUntil.get(organizationId) ?? 0) - this.patience.aheadMs - this.now());
  }

  /** Whether the organization has used more than its rate. */
  isAhead(organizationId: string): boolean {
    return (this.usedUntil.get(organizationId) ?? 0) > this.now();
  }

  /** Whether the organization may not begin an invocation now. `resume` is called when that may have changed. */
  mustWait(organizationId: string): boolean {
    const waitMs = this.waitMs(organizationId);
    if (waitMs === 0 || !this.options.isBusy(organizationId)) return false;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.options.resume();
    }, Math.min(waitMs, lookAgainMs));
    return true;
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  protected used(organizationId: string, amount: number): void {
    if (amount <= 0) return;
    const { aheadMs, longestMs } = this.patience;
    const now = this.now();
    const until = Math.max(now, this.usedUntil.get(organizationId) ?? 0) + (amount / this.options.perSecond) * 1_000;
    this.usedUntil.set(organizationId, Math.min(until, now + aheadMs + longestMs));
  }
}
