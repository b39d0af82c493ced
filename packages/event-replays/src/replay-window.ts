/** What a window begins with, and what it does not fall below: one call of the CRM takes as many records. */
const least = 100;
/**
 * Milliseconds that records are under way. A live event that lies behind all of them in their lane waits as long: while it is
 * short, more may be under way, and fewer when it is long.
 */
const [shortMs, longMs] = [500, 800];
/** The same for how much longer they take than with the fewest under way: what a slow portal takes by itself delays nobody. */
const [littleMoreMs, muchMoreMs] = [250, 550];
/** The share by which a window grows while records do not take short: in one lane, twice as many would wait twice as long. */
const carefully = 0.1;

/**
 * How many records of a job may be under way. As many as end within a moment, or hardly later than the fewest would: a portal
 * that works on many at once gets many, and no long queue comes into being behind one that does not.
 */
export class ReplayWindow {
  private most: number;
  /** What was started before this time says nothing about the window as it is now. */
  private changedAt = -Infinity;
  /** What records took on average when last the fewest were under way, or less since then. */
  private fewestTookMs = Infinity;

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
    this.fewestTookMs = this.most === this.least ? tookMs : Math.min(this.fewestTookMs, tookMs);
    const more = tookMs <= shortMs ? telling.length : Math.ceil(telling.length * carefully);
    const isShort = tookMs <= Math.max(shortMs, this.fewestTookMs + littleMoreMs);
    const isLong = tookMs >= Math.max(longMs, this.fewestTookMs + muchMoreMs);
    if (isShort && wasFull) this.most = Math.min(this.bound, this.most + more);
    if (!isLong || this.most === this.least) return;
    this.most = Math.max(this.least, Math.floor(this.most / 2));
    this.changedAt = now;
  }
}
