import { createMemoryKeyValue } from '@sluice/kv-memory';
import { type KeyValue, KeyValueUnavailable } from '@sluice/ports';
import type { Metrics } from '@sluice/service-kit';

/** The operations that limits use. */
export type LimitStore = Pick<KeyValue, 'getMany' | 'set' | 'delete' | 'increment' | 'slideWindow'>;

export interface LimitStoreOptions {
  /** Shared by all instances. */
  shared: LimitStore;
  metrics: Metrics;
  /** Milliseconds since the epoch. Default: the machine's clock. */
  now?(): number;
}

/** Keys counted in this process at most. */
const maxKeys = 100_000;

/**
 * Limits are never switched off by an outage: while the shared store is away they are counted in this process alone. Every
 * operation that was counted locally raises `limits_counted_locally_total`; `watchKeyValue` logs the loss and the return.
 */
export function createLimitStore({ shared, metrics, now }: LimitStoreOptions): LimitStore {
  const countedLocally = metrics.counter({
    name: 'limits_counted_locally_total',
    help: 'Limit operations that were counted in this process because the key-value store was away.',
  });
  let local: KeyValue | undefined;

  const fallBack = (error: unknown): KeyValue => {
    if (!(error instanceof KeyValueUnavailable)) throw error;
    countedLocally.inc();
    return (local ??= createMemoryKeyValue({ maxKeys, ...(now && { now }) }));
  };
  return {
    getMany: (keys) => shared.getMany(keys).catch((error: unknown) => fallBack(error).getMany(keys)),
    set: (key, value, options) =>
      shared.set(key, value, options).catch((error: unknown) => fallBack(error).set(key, value, options)),
    delete: (keys) => shared.delete(keys).catch((error: unknown) => fallBack(error).delete(keys)),
    increment: (key, by, options) =>
      shared.increment(key, by, options).catch((error: unknown) => fallBack(error).increment(key, by, options)),
    slideWindow: (key, options) =>
      shared.slideWindow(key, options).catch((error: unknown) => fallBack(error).slideWindow(key, options)),
  };
}
