import type { MonotonicClock } from '@sluice/ports';

/** How long it is noted what live events take before the rate is set anew. Milliseconds. */
const windowMs = 1_000;
/** Live events may take so much longer on average than at the best of times before rows begin more slowly. Milliseconds. */
const toleratedMs = 1;
/** Rows a second that begin more after each window in which live events did not take longer. */
const step = 50;
/** Without a live event for so long rows begin as fast as they come. Milliseconds. */
const idleMs = 2_000;
/** The best of times is that of the last one to two of these. Milliseconds. */
const rememberedMs = 300_000;

interface Window {
  at: number;
  events: number;
  tookMs: number;
  /** Whether rows had to wait: else more of them would not begin at a higher rate. */
  waited: boolean;
}

/**
 * How many rows of imports may begin a second in this process while live events come in: more, step by step, as long as these are
 * taken in as fast as ever, half as many when they are not, and never fewer than the least (ADR 0385).
 */
export class ImportRate {
  private perSecond: number;
  private tokens = 0;
  private refilledAt: number;
  private lastLiveAt = -Infinity;
  private window: Window;
  /** The least that live events took on average in a window, now and in the time before. */
  private lowest: { since: number; now: number; before: number };

  /** @param least rows a second */
  constructor(private readonly least: number, private readonly now: MonotonicClock) {
    const at = now();
    this.perSecond = least;
    this.refilledAt = at;
    this.window = { at, events: 0, tookMs: 0, waited: false };
    this.lowest = { since: at, now: Infinity, before: Infinity };
  }

  /** Live events come in. */
  isBesideLive(): boolean {
    return this.now() - this.lastLiveAt <= idleMs;
  }

  /** A live event was taken in, which took so long in this process. */
  live(tookMs: number): void {
    if (!this.isBesideLive()) this.begin();
    this.lastLiveAt = this.now();
    this.window.events += 1;
    this.window.tookMs += tookMs;
  }

  /**
   * @param waiting rows that could begin
   * @param portion rows that begin together, because they share a call
   * @returns rows that may begin now; they count as begun
   */
  take(waiting: number, portion: number): number {
    if (!this.isBesideLive()) return waiting;
    const at = this.now();
    if (at - this.window.at >= windowMs) this.judge(at);
    this.tokens = Math.min(2 * portion, this.tokens + ((at - this.refilledAt) / 1_000) * this.perSecond);
    this.refilledAt = at;
    if (waiting === 0) return 0;
    const together = Math.min(waiting, portion);
    if (this.tokens < together) {
      this.window.waited = true;
      return 0;
    }
    this.tokens -= together;
    return together;
  }

  /** Live events come again. */
  private begin(): void {
    const at = this.now();
    this.perSecond = this.least;
    [this.tokens, this.refilledAt] = [0, at];
    this.window = { at, events: 0, tookMs: 0, waited: false };
  }

  private judge(at: number): void {
    const { events, tookMs, waited } = this.window;
    if (events > 0) {
      const mean = tookMs / events;
      this.remember(mean, at);
      const takesLonger = mean > Math.min(this.lowest.now, this.lowest.before) + toleratedMs;
      if (takesLonger) this.perSecond = Math.max(this.least, this.perSecond / 2);
      else if (waited) this.perSecond += step;
    }
    this.window = { at, events: 0, tookMs: 0, waited: false };
  }

  private remember(mean: number, at: number): void {
    const { since, now } = this.lowest;
    if (at - since >= rememberedMs) this.lowest = { since: at, now: mean, before: now };
    else this.lowest.now = Math.min(now, mean);
  }
}
