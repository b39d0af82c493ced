import { LRUCache } from 'lru-cache';

const hourMs = 3_600_000;

/**
 * How many lines of its log each function may still hand to the store, in hours that begin with its first line. The store counts
 * what all runners hand in; this only keeps away what it would refuse anyway.
 */
export class LineAllowance {
  private readonly hours: LRUCache<string, { since: number; left: number }>;

  constructor(
    private readonly linesPerHour: number,
    private readonly now: () => number = Date.now,
  ) {
    this.hours = new LRUCache({ max: 10_000 });
  }

  /** Takes so many lines, or as many as are left. @returns how many */
  take(functionArn: string, lines: number): number {
    const now = this.now();
    const known = this.hours.get(functionArn);
    const hour = known && now - known.since < hourMs ? known : { since: now, left: this.linesPerHour };
    const taken = Math.min(lines, hour.left);
    hour.left -= taken;
    this.hours.set(functionArn, hour);
    return taken;
  }
}
