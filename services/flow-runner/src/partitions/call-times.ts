import type { MonotonicClock } from '@sluice/ports';

export interface CallTimesOptions {
  monotonicNow: MonotonicClock;
  /** The least time that a call is expected to take. */
  leastMs: number;
}

/** The longest call of one time in which there were calls. */
interface Longest {
  since: number;
  ms: number;
}

const rememberMs = 60_000;

/** How long the calls of this process take that have an effect outside: how long one may be under way when the process dies. */
export class CallTimes {
  private readonly underWay = new Set<{ startedAt: number }>();
  private longest: Longest | null = null;
  /** Of the minute before. */
  private before: Longest | null = null;

  constructor(private readonly options: CallTimesOptions) {}

  /** A call starts; the answer is called when it has ended. */
  started(): () => void {
    const call = { startedAt: this.options.monotonicNow() };
    this.underWay.add(call);
    return () => {
      this.underWay.delete(call);
      this.note(call.startedAt);
    };
  }

  /**
   * How long a call may take: twice the longest of the last minute that had calls, those under way included. null: there was none
   * yet, so that nobody knows.
   */
  expectedMs(): number | null {
    const { monotonicNow, leastMs } = this.options;
    const known = [this.longest, this.before].flatMap((one) => one?.ms ?? []);
    const all = [...known, ...[...this.underWay].map(({ startedAt }) => monotonicNow() - startedAt)];
    return all.length === 0 ? null : Math.max(leastMs, 2 * Math.max(...all));
  }

  private note(startedAt: number): void {
    const now = this.options.monotonicNow();
    if (this.longest === null || now - this.longest.since >= rememberMs) {
      this.before = this.longest;
      this.longest = { since: now, ms: 0 };
    }
    this.longest.ms = Math.max(this.longest.ms, now - startedAt);
  }
}
