import { type KeyValue, KeyValueUnavailable, type Logger } from '@sluice/ports';
import type { Metrics } from '@sluice/service-kit';

export interface WatchKeyValueOptions {
  logger: Logger;
  metrics: Metrics;
}

/**
 * The same store, which reports when it becomes unavailable and available again: one log line each, `key_value_lost_total`,
 * `key_value_returned_total` and the gauge `key_value_up`. It counts as back with the first success of an operation that began
 * after the last failure.
 */
export function watchKeyValue(kv: KeyValue, { logger, metrics }: WatchKeyValueOptions): KeyValue {
  const lost = metrics.counter({ name: 'key_value_lost_total', help: 'Times the key-value store went away.' });
  const returned = metrics.counter({ name: 'key_value_returned_total', help: 'Times the key-value store came back.' });
  const up = metrics.gauge({ name: 'key_value_up', help: '1 while the key-value store answers, else 0.' });
  // Set before anything happens: an alert needs a first value.
  lost.inc({}, 0);
  returned.inc({}, 0);
  up.set(1);
  let away = false;
  let begun = 0;
  let lastFailure = 0;

  const failed = (error: KeyValueUnavailable): void => {
    lastFailure = begun;
    if (away) return;
    away = true;
    lost.inc();
    up.set(0);
    const message = 'the key-value store is away: limits are counted in this process alone, nothing is cached';
    logger.warn(message, { reason: error.message });
  };
  const answered = (order: number): void => {
    if (!away || order <= lastFailure) return;
    away = false;
    returned.inc();
    up.set(1);
    logger.info('the key-value store answers again');
  };
  const watched = <A extends unknown[], T>(operation: (...args: A) => Promise<T>) => async (...args: A): Promise<T> => {
    begun += 1;
    const order = begun;
    try {
      const value = await operation(...args);
      answered(order);
      return value;
    } catch (error) {
      if (error instanceof KeyValueUnavailable) failed(error);
      throw error;
    }
  };
  return {
    get: watched(kv.get), getMany: watched(kv.getMany),
    set: watched(kv.set), setIfAbsent: watched(kv.setIfAbsent), delete: watched(kv.delete),
    increment: watched(kv.increment), incrementWithin: watched(kv.incrementWithin), slideWindow: watched(kv.slideWindow),
    takeTokens: watched(kv.takeTokens), capTokens: watched(kv.capTokens),
    healthy: () => kv.healthy(), close: () => kv.close(),
  };
}
