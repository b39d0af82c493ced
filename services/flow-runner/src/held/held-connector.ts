import { type HeldScope, readyAt } from './held-scope';

/** The held scopes of one connector in one partition: some in memory, the others in the store alone. */
export class HeldConnector {
  /** Those in memory that do not run, the one that may run first before the others. */
  readonly waiting: HeldScope[] = [];
  /** All those in memory. */
  inMemory = 0;
  /** When the first of those that are in the store alone is due; Infinity: all are in memory. */
  outsideDueAt = Infinity;
  /** As `outsideDueAt`, of those that left memory since the store was last asked. */
  leftDueAt = Infinity;
  /** The store is being asked for more of them. */
  loading = false;

  constructor(readonly topic: string, readonly partition: number, readonly connectorId: string) {}

  /** Puts a scope in its place among those that wait; of equals the older one goes first. */
  wait(scope: HeldScope): void {
    const at = readyAt(scope);
    let [low, high] = [0, this.waiting.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (readyAt(this.waiting[middle]!) <= at) low = middle + 1;
      else high = middle;
    }
    this.waiting.splice(low, 0, scope);
  }

  /** Takes it from among those that wait, where it is. To be called before what `readyAt` says of it changes. */
  stopWaiting(scope: HeldScope): void {
    const at = this.waiting.indexOf(scope);
    if (at >= 0) this.waiting.splice(at, 1);
  }

  /** Whether one of them may run. */
  isReady(now: number): boolean {
    return this.waiting.length > 0 && readyAt(this.waiting[0]!) <= now;
  }

  /** Those that may run, those due longest first. */
  ready(now: number, most: number): HeldScope[] {
    const ready: HeldScope[] = [];
    for (const scope of this.waiting) {
      if (ready.length >= most || readyAt(scope) > now) break;
      ready.push(scope);
    }
    return ready;
  }

  /** One of them is in the store alone from now on. */
  left(scope: HeldScope): void {
    this.outsideDueAt = Math.min(this.outsideDueAt, readyAt(scope));
    this.leftDueAt = Math.min(this.leftDueAt, readyAt(scope));
  }

  /** Whether there is nothing to know of it. */
  isOver(): boolean {
    return this.inMemory === 0 && this.outsideDueAt === Infinity && !this.loading;
  }
}
