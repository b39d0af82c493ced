import { type HeldScope, readyAt } from './held-scope';

/** The held scopes of one connector in one partition: some in memory, the others only in the store. */
export class HeldConnector {
  /** Scopes in memory that do not run, ordered by the time from which they may run. */
  readonly waiting: HeldScope[] = [];
  /** All those in memory. */
  inMemory = 0;
  /** When the first of the scopes that are only in the store is due; Infinity: all are in memory. */
  outsideDueAt = Infinity;
  /** As `outsideDueAt`, for the scopes that left memory since the store was last queried. */
  leftDueAt = Infinity;
  /** A query for more of them is under way. */
  loading = false;

  constructor(readonly topic: string, readonly partition: number, readonly connectorId: string) {}

  /** Inserts a scope among those that wait, in order; of two with the same time the older one is first. */
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

  /** Removes a scope from those that wait. To be called before its `readyAt` changes. */
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

  /** From now on the scope is only in the store. */
  left(scope: HeldScope): void {
    this.outsideDueAt = Math.min(this.outsideDueAt, readyAt(scope));
    this.leftDueAt = Math.min(this.leftDueAt, readyAt(scope));
  }

  /** Whether it has no scope. */
  isOver(): boolean {
    return this.inMemory === 0 && this.outsideDueAt === Infinity && !this.loading;
  }
}
