import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';

export interface TrafficGateOptions {
  /** Bytes that the functions of one organization may exchange with the service while its event loop is busy. */
  bytesPerSecond: number;
  /** Called when an organization that had to wait may go on. */
  resume(): void;
  /** Whether the event loop has much to do. Default: it was in use for three tenths of the time. */
  isLoopBusy?(): boolean;
  /** Monotonic milliseconds. */
  now?(): number;
}

/** Of each invocation so many bytes are free: handling them costs about what every other part of an event costs. */
const freeBytes = 32 * 1024;
/** An organization may be ahead of its rate by so much, milliseconds. */
const aheadMs = 1_000;
/** The longest time until it is looked at again whether the loop is still busy, milliseconds. */
const lookAgainMs = 250;

/**
 * Bounds what the functions of one organization cost the event loop of the service, which all organizations share: to read and to
 * parse an answer of 1 MiB takes 16 ms of processor time, as long as sixty events. What an invocation has moved is known when it
 * has ended, so it delays the next ones of its organization. While the loop has time, nobody waits.
 */
export class TrafficGate {
  /** Until when an organization has used up its rate. */
  private readonly usedUntil = new LRUCache<string, number>({ max: 10_000 });
  private readonly isLoopBusy: () => boolean;
  private readonly now: () => number;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly options: TrafficGateOptions) {
    this.isLoopBusy = options.isLoopBusy ?? loopLoad();
    this.now = options.now ?? (() => performance.now());
  }

  get isBusy(): boolean {
    return this.isLoopBusy();
  }

  /** An invocation has moved so many bytes in all. */
  moved(organizationId: string, bytes: number): void {
    const counted = bytes - freeBytes;
    if (counted <= 0) return;
    const from = Math.max(this.now(), this.usedUntil.get(organizationId) ?? 0);
    this.usedUntil.set(organizationId, from + (counted / this.options.bytesPerSecond) * 1_000);
  }

  /** Whether the organization may not begin an invocation now. `resume` is called when that may have changed. */
  mustWait(organizationId: string): boolean {
    const waitMs = (this.usedUntil.get(organizationId) ?? 0) - aheadMs - this.now();
    if (waitMs <= 0 || !this.isBusy) return false;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.options.resume();
    }, Math.min(waitMs, lookAgainMs));
    return true;
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
  }
}

/** In use for more than this part of the time, the event loop is busy. */
const busyShare = 0.3;

/** Tells whether the event loop was busy in the last quarter of a second. */
function loopLoad(): () => boolean {
  let [last, at, busy] = [performance.eventLoopUtilization(), performance.now(), false];
  return () => {
    if (performance.now() - at < lookAgainMs) return busy;
    busy = performance.eventLoopUtilization(last).utilization > busyShare;
    [last, at] = [performance.eventLoopUtilization(), performance.now()];
    return busy;
  };
}
