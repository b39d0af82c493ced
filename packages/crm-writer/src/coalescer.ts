import type { Activity } from './activity';

export interface CoalescerOptions<Q, A> {
  /** The most requests one call takes. */
  maxBatch: number;
  /** The most requests of a call that this one may be part of. Default: `maxBatch`. */
  limitOf?(request: Q): number | undefined;
  /** Calls under way at once. */
  maxConcurrent: number;
  activity: Activity;
  /** Requests with the same key never share a batch nor run at the same time, and keep their order. null: no such key. */
  conflictKey?(request: Q): string | null;
  /** Answers in the order of the batch. Must not reject: a rejection is a bug and rejects every request of the batch. */
  run(batch: Q[]): Promise<A[]>;
  /** Called when nothing is queued and no call is under way: the owner of the coalescer may drop it. */
  onIdle?(): void;
}

/** Collects the requests of many lanes into calls of up to `maxBatch`. */
export interface Coalescer<Q, A> {
  ask(request: Q): Promise<A>;
}

interface Pending<Q, A> {
  request: Q;
  resolve(answer: A): void;
  reject(error: unknown): void;
}

/**
 * Full batches start while fewer than `maxConcurrent` calls are under way; a partial batch starts only when no call is under way
 * and no active unit could add to it. While a call runs the next batch fills: group commit, without a timer. It listens for idle
 * moments only while something is queued, so that the cost of an idle moment does not grow with the number of coalescers.
 */
export function createCoalescer<Q, A>(options: CoalescerOptions<Q, A>): Coalescer<Q, A> {
  let queue: Pending<Q, A>[] = [];
  let running = 0;
  const busyKeys = new Set<string>();
  const limitOf = ({ request }: Pending<Q, A>): number => Math.min(options.maxBatch, options.limitOf?.(request) ?? Infinity);
  /** How many waiting requests make a full batch: as many as the first of them allows. */
  const full = (): number => (queue.length === 0 ? options.maxBatch : limitOf(queue[0]!));

  const pick = (): Pending<Q, A>[] => {
    const batch: Pending<Q, A>[] = [];
    const left: Pending<Q, A>[] = [];
    const taken = new Set<string>();
    let limit = options.maxBatch;
    let looked = 0;
    for (const pending of queue) {
      // Nothing can be added to a full batch, so only the head of a long queue is read.
      if (batch.length === limit) break;
      looked += 1;
      const key = options.conflictKey?.(pending.request) ?? null;
      const free = key === null || (!busyKeys.has(key) && !taken.has(key));
      if (key !== null) taken.add(key);
      const own = Math.min(limit, limitOf(pending));
      if (free && batch.length < own) {
        batch.push(pending);
        limit = own;
      } else left.push(pending);
    }
    queue = left.concat(queue.slice(looked));
    if (queue.length === 0) options.activity.offQuiet(poke);
    return batch;
  };

  const start = async (batch: Pending<Q, A>[]): Promise<void> => {
    const keys = batch.map(({ request }) => options.conflictKey?.(request) ?? null).filter((key) => key !== null);
    running += 1;
    keys.forEach((key) => busyKeys.add(key));
    try {
      const answers = await options.run(batch.map(({ request }) => request));
      batch.forEach(({ resolve }, index) => resolve(answers[index] as A));
    } catch (error) {
      batch.forEach(({ reject }) => reject(error));
    } finally {
      running -= 1;
      keys.forEach((key) => busyKeys.delete(key));
      // After the answers' continuations: they may ask again and fill the next batch.
      setImmediate(poke);
    }
  };

  function poke(): void {
    while (queue.length >= full() && running < options.maxConcurrent) {
      const wanted = full();
      const batch = pick();
      if (batch.length === 0) return;
      void start(batch);
      if (batch.length < wanted) return;
    }
    if (queue.length > 0 && running === 0 && options.activity.quiet()) {
      const batch = pick();
      if (batch.length > 0) void start(batch);
    }
    if (queue.length === 0 && running === 0) options.onIdle?.();
  }

  return {
    ask: (request) => options.activity.waiting(new Promise<A>((resolve, reject) => {
      queue.push({ request, resolve, reject });
      if (queue.length === 1) options.activity.onQuiet(poke);
      if (queue.length >= full()) poke();
    })),
  };
}
