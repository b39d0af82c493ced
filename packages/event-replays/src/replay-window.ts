/** What a window begins with, and what it does not fall below: one call of the CRM takes as many records. */
const least = 100;
/**
 * Milliseconds that records are under way. A live event that lies behind all of them in their lane waits as long: while it is
 * short, more may be under way, and fewer when it is long.
 */
const [shortMs, longMs] = [500, 800];

/**
 * How many records of a job may be under way. As many as end within a moment: a fast portal gets many, and behind a slow one no
 * long queue comes into being.
 */
export class ReplayWindow {
  private most: number;
  /** What was started before this time says nothing about the window as it is now. */
  private changedAt = -Infinity;

  /** @param bound the most records, whatever the pace */
  constructor(private readonly bound: number) {
    this.most = this.least;
  }

  /** What it does not fall below. */
  get least(): number {
    return Math.min(least, this.bound);
  }

  get size(): number {
    return this.most;
  }

  /**
   * Learns from records that have ended.
   * @param startedAt when they were started, milliseconds on the clock of `now`
   * @param wasFull no further record might have been started
   */
  ended(startedAt: readonly number[], now: number, wasFull: boolean): void {
    const telling = startedAt.filter((at) => at >= this.changedAt);
    if (telling.length === 0) return;
    const tookMs = telling.reduce((sum, at) => sum + (now - at), 0) / telling.length;
    if (tookMs <= shortMs && wasFull) this.most = Math.min(this.bound, this.most + telling.length);
    if (tookMs < longMs || this.most === this.least) return;
    this.most = Math.max(this.least, Math.floor(this.most / 2));
    this.changedAt = now;
  }
}
