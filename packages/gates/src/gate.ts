/** Fewer failed calls than this do not close a gate: they may all be of one bad record. */
const failuresThatCount = 10;
const firstWaitMs = 1_000;
const longestWaitMs = 30_000;

/** Why a gate is not open: the destination refused a call for its rate, or failed all of them. */
export type GateTrouble = 'refused' | 'failing';

/** A caller that tries a destination; compared by identity. */
export type Prober = object;

/**
 * The gate of one destination, as its calls end. Times are monotonic milliseconds.
 *
 * | State | Who may start | Left by |
 * |---|---|---|
 * | open: `trouble` is null | everybody | a refused call, or failed ones: at least ten, none answered, for `failingAfterMs` |
 * | waiting: before `notBefore` | nobody | the time |
 * | to be tried | one prober, which is let in alone | `answered`: open. `failed`: waiting, twice as long as before |
 *
 * Invariants: a call that is answered opens the gate from every state; in trouble there is at most one prober.
 */
export class Gate {
  /** Calls failed since the last answer, and when the first of them was. */
  private failures = 0;
  private failingSince = 0;
  private failing = false;
  private wasRefused = false;
  private notBefore = -Infinity;
  private waitMs = firstWaitMs;
  private prober: Prober | null = null;

  constructor(private readonly failingAfterMs: number) {}

  get trouble(): GateTrouble | null {
    if (this.failing) return 'failing';
    return this.wasRefused ? 'refused' : null;
  }

  /** Whether `prober`, or anybody when null, must wait because of another one that tries the destination. */
  isTriedByAnother(prober: Prober | null): boolean {
    return this.trouble !== null && this.prober !== null && this.prober !== prober;
  }

  /** Milliseconds until the destination may be tried; 0 or less: now. */
  waitsForMs(now: number): number {
    return this.trouble === null ? 0 : this.notBefore - now;
  }

  /** How long the next failed try closes the gate. Milliseconds. */
  get nextWaitMs(): number {
    return this.waitMs;
  }

  /** Lets `prober` try the destination. The caller has seen that it may be tried now, and by nobody else. */
  letTry(prober: Prober): void {
    this.prober = prober;
  }

  /** `prober` has ended: another one may try. */
  endTry(prober: Prober): void {
    if (this.prober === prober) this.prober = null;
  }

  /** A call was refused for its rate: when calls are allowed again, one prober tries first. */
  refused(): void {
    this.wasRefused = true;
  }

  /** A call failed. */
  failed(now: number): void {
    if (this.failures === 0) this.failingSince = now;
    this.failures += 1;
    this.failing ||= this.failures >= failuresThatCount && now - this.failingSince >= this.failingAfterMs;
    // Failures of calls that were under way when it closed do not count again.
    if (!this.failing || now < this.notBefore) return;
    this.notBefore = now + this.waitMs;
    this.waitMs = Math.min(this.waitMs * 2, longestWaitMs);
  }
}
