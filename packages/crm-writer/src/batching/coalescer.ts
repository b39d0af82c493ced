import { goesBefore, type WorkClass } from '@sluice/ports';
import type { Activity } from './activity';
import { batchByClass, batchInOrder, type BatchRules, type Pending } from './pick-batch';

export interface CoalescerOptions<Q, A> extends Omit<BatchRules<Q>, 'isBusy'> {
  /** Calls under way at once. Those of live work do not count the others. */
  maxConcurrent: number;
  activity: Activity;
  /**
   * The convoy of a request: no later request of its lane comes before all of the convoy have ended. null: it is in none.
   * Default: none is in one.
   */
  convoyOf?(request: Q): string | null;
  /** Called when a request waits for another one with its key that is of a class behind its own. */
  hurry?(request: Q, workClass: WorkClass): void;
  /** Answers in the order of the batch. Must not reject: a rejection is a bug and rejects every request of the batch. */
  run(batch: Q[]): Promise<A[]>;
  /** Called when nothing is queued and no call is under way: the owner of the coalescer may drop it. */
  onIdle?(): void;
}

/** Collects the requests of many lanes into calls of up to `maxBatch`. */
export interface Coalescer<Q, A> {
  ask(request: Q): Promise<A>;
}

interface UnitRequest<Q, A> extends Pending<Q> {
  resolve(answer: A): void;
  reject(error: unknown): void;
}

interface UnderWay {
  isFull: boolean;
  convoys: ReadonlySet<string | null>;
}

export const createCoalescer = <Q, A>(options: CoalescerOptions<Q, A>): Coalescer<Q, A> => new Batches(options);

/**
 * Full batches start while fewer than `maxConcurrent` calls are under way; a partial batch starts only when no call is under way
 * and no active unit could add to it. While a call runs the next batch fills: group commit, without a timer. What full calls left
 * of a convoy starts beside them, because nothing that waits for them could add to it (ADR 0425). Live requests are
 * taken first, and calls for others do not keep them waiting; what is left of their batch is filled with others. It listens for
 * idle moments only while something is queued, so that the cost of an idle moment does not grow with the number of coalescers.
 *
 * Invariant: of the requests with one key at most one is under way (`busy`), and no later one starts before an earlier one.
 */
class Batches<Q, A> implements Coalescer<Q, A> {
  private queue: UnitRequest<Q, A>[] = [];
  /** Queued requests that were not live when they came. */
  private lower = 0;
  private readonly running = { live: 0, lower: 0 };
  private readonly calls = new Set<UnderWay>();
  private readonly busy = new Map<string, Q>();
  private readonly rules: BatchRules<Q>;
  private readonly poke = (): void => this.look();

  constructor(private readonly options: CoalescerOptions<Q, A>) {
    this.rules = { ...options, isBusy: (key) => this.busy.has(key) };
  }

  ask(request: Q): Promise<A> {
    const { options } = this;
    return options.activity.waiting(new Promise<A>((resolve, reject) => {
      const isLower = this.classOf(request) !== 'live';
      if (this.lower > 0 || this.running.lower > 0) this.hurryFor(request);
      this.queue.push({ request, resolve, reject, isLower, passed: 0 });
      if (isLower) this.lower += 1;
      if (this.queue.length === 1) options.activity.onQuiet(this.poke);
      if (this.queue.length >= this.full()) this.look();
    }));
  }

  private look(): void {
    const { options } = this;
    while (this.queue.length >= this.full() && this.mayStart(options.maxConcurrent)) {
      const wanted = this.full();
      const batch = this.pick();
      if (batch.length === 0) return;
      void this.start(batch, batch.length >= wanted);
      if (batch.length < wanted) return;
    }
    if (this.queue.length > 0 && options.activity.quiet() && (this.mayStart(1) || this.isRestOfConvoys())) {
      const batch = this.pick();
      if (batch.length > 0) void this.start(batch, false);
    }
    if (this.queue.length === 0 && this.running.live + this.running.lower === 0) options.onIdle?.();
  }

  /** How many waiting requests make a full batch: as many as the first of them allows. */
  private full(): number {
    const { maxBatch, limitOf } = this.options;
    return this.queue.length === 0 ? maxBatch : Math.min(maxBatch, limitOf?.(this.queue[0]!.request) ?? Infinity);
  }

  /** Whether fewer calls than `most` are under way of those that the next call counts. */
  private mayStart(most: number): boolean {
    const { live, lower } = this.running;
    return live + (this.hasLive() ? 0 : lower) < most;
  }

  /** Whether all that waits for the calls under way are convoys that wait for queued requests, too. */
  private isRestOfConvoys(): boolean {
    const { convoyOf, maxConcurrent } = this.options;
    if (!convoyOf || !this.mayStart(maxConcurrent)) return false;
    const calls = [...this.calls];
    if (calls.some(({ isFull, convoys }) => !isFull || convoys.has(null))) return false;
    const queued = new Set(this.queue.map(({ request }) => convoyOf(request)));
    return calls.every(({ convoys }) => [...convoys].every((convoy) => queued.has(convoy)));
  }

  private hasLive(): boolean {
    return this.lower < this.queue.length || this.queue.some(({ request }) => this.classOf(request) === 'live');
  }

  private pick(): UnitRequest<Q, A>[] {
    const { batch, left } = this.lower === 0 ? batchInOrder(this.queue, this.rules) : batchByClass(this.queue, this.rules);
    this.queue = left;
    for (const { isLower } of batch) if (isLower) this.lower -= 1;
    if (left.length === 0) this.options.activity.offQuiet(this.poke);
    return batch;
  }

  private async start(batch: UnitRequest<Q, A>[], isFull: boolean): Promise<void> {
    const call = { isFull, convoys: new Set(batch.map(({ request }) => this.options.convoyOf?.(request) ?? null)) };
    const counted = batch.some(({ request }) => this.classOf(request) === 'live') ? 'live' : 'lower';
    const keys = new Map(batch.flatMap(({ request }) => {
      const key = this.options.conflictKey?.(request) ?? null;
      return key === null ? [] : [[key, request]];
    }));
    this.running[counted] += 1;
    this.calls.add(call);
    keys.forEach((request, key) => this.busy.set(key, request));
    try {
      const answers = await this.options.run(batch.map(({ request }) => request));
      batch.forEach(({ resolve }, index) => resolve(answers[index] as A));
    } catch (error) {
      batch.forEach(({ reject }) => reject(error));
    } finally {
      this.running[counted] -= 1;
      this.calls.delete(call);
      keys.forEach((_, key) => this.busy.delete(key));
      // After the answers' continuations: they may ask again and fill the next batch.
      setImmediate(this.poke);
    }
  }

  private classOf(request: Q): WorkClass {
    return this.options.classOf?.(request) ?? 'live';
  }

  /** Those with the key of the request that go before it, although they are of a class behind its own. */
  private hurryFor(request: Q): void {
    const { conflictKey, hurry } = this.options;
    const key = conflictKey?.(request) ?? null;
    if (key === null || !hurry) return;
    const workClass = this.classOf(request);
    const before = [this.busy.get(key), ...this.queue.flatMap((one) => (conflictKey!(one.request) === key ? [one.request] : []))];
    for (const one of before) if (one !== undefined && goesBefore(workClass, this.classOf(one))) hurry(one, workClass);
  }
}
