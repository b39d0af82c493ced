import { createMemoryKeyValue } from '@sluice/kv-memory';
import { type KeyValue, KeyValueUnavailable, type Logger } from '@sluice/ports';
import type { Metrics } from '@sluice/service-kit';

/** What limits are counted in. */
export type LimitStore = Pick<KeyValue, 'getMany' | 'set' | 'delete' | 'increment' | 'slideWindow'>;

export interface LimitStoreOptions {
  /** Shared by all instances. */
  shared: LimitStore;
  logger: Logger;
  metrics: Metrics;
  /** Milliseconds since the epoch. Default: the machine's clock. */
  now?(): number;
}

/** Keys counted in this process at most. */
const maxKeys = 100_000;

/**
 * Limits are never switched off by an outage: while the shared store is away they are counted in this process alone. The
 * loss and the return are logged, every operation that was counted locally raises `limits_counted_locally_total`.
 */
export function createLimitStore({ shared, logger, metrics, now }: LimitStoreOptions): LimitStore {
  const countedLocally = metrics.counter({ name: 'limits_counted_locally_total', help: 'Limit operations that were counted in this process because the key-value store was away.' });
  let local: KeyValue | undefined;
  let away = false;

  const fallBack = (error: unknown): KeyValue => {
    if (!(error instanceof KeyValueUnavailable)) throw error;
    if (!away) logger.warn('the key-value store is away: limits are counted in this process alone', { error });
    away = true;
    countedLocally.inc();
    return (local ??= createMemoryKeyValue({ maxKeys, ...(now && { now }) }));
  };
  const answered = <T>(value: T): T => {
    if (away) logger.info('the key-value store answers again: limits are shared');
    away = false;
    return value;
  };
  return {
    getMany: (keys) => shared.getMany(keys).then(answered, (error: unknown) => fallBack(error).getMany(keys)),
    set: (key, value, options) => shared.set(key, value, options).then(answered, (error: unknown) => fallBack(error).set(key, value, options)),
    delete: (keys) => shared.delete(keys).then(answered, (error: unknown) => fallBack(error).delete(keys)),
    increment: (key, by, options) => shared.increment(key, by, options).then(answered, (error: unknown) => fallBack(error).increment(key, by, options)),
    slideWindow: (key, options) => shared.slideWindow(key, options).then(answered, (error: unknown) => fallBack(error).slideWindow(key, options)),
  };
}
