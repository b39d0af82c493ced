import { type WorkClass, workClasses } from '@sluice/ports';

/** A request that waits for its call. */
export interface Pending<Q> {
  request: Q;
  /** Whether it was not live when it came. */
  isLower: boolean;
  /** Full batches that left it behind. */
  passed: number;
}

/** Which requests may share a call. */
export interface BatchRules<Q> {
  /** The most requests one call takes. */
  maxBatch: number;
  /** The most requests of a call that this one may be part of. Default: `maxBatch`. */
  limitOf?(request: Q): number | undefined;
  /** Requests with the same key never share a batch nor run at the same time, and keep their order. null: no such key. */
  conflictKey?(request: Q): string | null;
  /** Default: all are live. */
  classOf?(request: Q): WorkClass;
  /** Whether a request with this key is under way. */
  isBusy(key: string): boolean;
}

/** A request that so many full batches left behind goes before all others, whatever its class. */
const mostPassed = 20;

interface Picked<P> {
  batch: P[];
  /** What stays queued, in its order. */
  left: P[];
}

/** The next batch of requests of one class. Nothing can be added to a full batch, so only the head of a long queue is read. */
export function batchInOrder<Q, P extends Pending<Q>>(queue: readonly P[], rules: BatchRules<Q>): Picked<P> {
  const batch: P[] = [];
  const left: P[] = [];
  const taken = new Set<string>();
  let limit = rules.maxBatch;
  let looked = 0;
  for (const pending of queue) {
    if (batch.length === limit) break;
    looked += 1;
    const key = rules.conflictKey?.(pending.request) ?? null;
    const free = key === null || (!rules.isBusy(key) && !taken.has(key));
    if (key !== null) taken.add(key);
    const own = Math.min(limit, rules.limitOf?.(pending.request) ?? Infinity);
    if (free && batch.length < own) {
      batch.push(pending);
      limit = own;
    } else left.push(pending);
  }
  return { batch, left: left.concat(queue.slice(looked)) };
}

/**
 * The next batch of requests of several classes: higher classes first, and each class in order. A request waits for an earlier
 * one with its key, whatever their classes. Those that are left behind by a full batch count it.
 */
export function batchByClass<Q, P extends Pending<Q>>(queue: readonly P[], rules: BatchRules<Q>): Picked<P> {
  const firstOf = new Map<string, P>();
  for (const pending of queue) {
    const key = rules.conflictKey?.(pending.request) ?? null;
    if (key !== null && !firstOf.has(key)) firstOf.set(key, pending);
  }
  const isFirst = (pending: P): boolean => {
    const key = rules.conflictKey?.(pending.request) ?? null;
    return key === null || firstOf.get(key) === pending;
  };
  const placeOf = ({ request, passed }: P): number =>
    passed >= mostPassed ? -1 : workClasses.indexOf(rules.classOf?.(request) ?? 'live');
  const places = new Map(queue.map((pending) => [pending, placeOf(pending)]));
  const inTurn = queue.filter(isFirst).sort((a, b) => places.get(a)! - places.get(b)!);
  const { batch } = batchInOrder(inTurn, rules);
  const taken = new Set<P>(batch);
  const left = queue.filter((pending) => !taken.has(pending));
  if (batch.length >= rules.maxBatch) for (const pending of left) pending.passed += 1;
  return { batch, left };
}
